// Parts of subtrees join to the digests of lists and of bytes.

#include "gensyn/Proof/Trees/Descent.h"
#include "gensyn/Proof/Trees/ByteTree.h"
#include "gensyn/Proof/Trees/ListTree.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

using namespace gensyn;
using namespace gensyn::proof;

namespace {

ListTree makeList(uint64_t size) {
  ListTree tree("names");
  for (uint64_t i = 0; i < size; ++i)
    tree.add("entry " + std::to_string(i * i));
  return tree;
}

std::vector<Digest> nodesOf(const ListTree &tree, uint64_t begin,
                            uint64_t count) {
  std::vector<Digest> digests;
  for (const LeafRange &part : splitSubtree(begin, count))
    digests.push_back(tree.node(part.begin, part.end - part.begin));
  return digests;
}

/// One part fewer, one more, and one altered.
template <class Join>
void expectOnlyTheseJoin(const std::vector<Digest> &parts, Join join) {
  const std::optional<Digest> right = join(parts);
  ASSERT_TRUE(right);
  std::vector<Digest> wrong = parts;
  wrong.push_back(Digest());
  EXPECT_EQ(join(wrong), std::nullopt);
  if (parts.empty())
    return;
  wrong = {parts.begin(), parts.end() - 1};
  EXPECT_EQ(join(wrong), std::nullopt);
  wrong = parts;
  wrong[parts.size() / 2][7] ^= 4;
  EXPECT_NE(join(wrong), right);
}

std::vector<std::byte> makeBytes(size_t size) {
  std::mt19937 random(uint32_t(size + 1));
  std::vector<std::byte> bytes(size);
  for (std::byte &byte : bytes)
    byte = std::byte(random());
  return bytes;
}

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace

TEST(Descent, PartsAreTheWholeSubtree) {
  for (uint64_t begin : {0u, 64u})
    for (uint64_t count = 1; count <= 300; ++count) {
      const std::vector<LeafRange> parts = splitSubtree(begin, count);
      EXPECT_LE(parts.size(), 64u);
      uint64_t next = begin;
      for (const LeafRange &part : parts) {
        EXPECT_EQ(part.begin, next);
        EXPECT_LT(part.begin, part.end);
        next = part.end;
      }
      EXPECT_EQ(next, begin + count);
      // Six levels lower: what is left ends after as few questions as possible.
      EXPECT_LE(parts.front().end - parts.front().begin,
                std::max<uint64_t>(1, std::bit_ceil(count) / 64));
    }
}

TEST(Descent, HugeSubtreesCostNothing) {
  const std::vector<LeafRange> parts = splitSubtree(0, UINT64_MAX);
  EXPECT_EQ(parts.size(), 64u);
  EXPECT_EQ(parts.back().end, UINT64_MAX);
}

TEST(Descent, ListPartsJoinToTheRoot) {
  for (uint64_t size = 1; size <= 300; ++size) {
    const ListTree tree = makeList(size);
    const std::vector<Digest> parts = nodesOf(tree, 0, size);
    const std::optional<Digest> top = joinListParts(0, size, parts);
    ASSERT_TRUE(top) << size;
    EXPECT_EQ(*top, tree.node(0, size)) << size;
    EXPECT_EQ(findListRoot("names", size, *top), tree.root()) << size;
    EXPECT_NE(findListRoot("names", size + 1, *top), tree.root()) << size;
    expectOnlyTheseJoin(parts, [&](const std::vector<Digest> &given) {
      return joinListParts(0, size, given);
    });
  }
}

/// Whoever descends reaches each leaf, with digests that join at each level.
TEST(Descent, EachLeafIsReached) {
  for (uint64_t size : {1u, 2u, 63u, 64u, 65u, 129u, 300u, 5000u}) {
    const ListTree tree = makeList(size);
    for (uint64_t leaf = 0; leaf < size; leaf += 1 + size / 7) {
      LeafRange range{0, size};
      while (range.end - range.begin > 1) {
        const uint64_t count = range.end - range.begin;
        EXPECT_EQ(joinListParts(range.begin, count,
                                nodesOf(tree, range.begin, count)),
                  tree.node(range.begin, count));
        for (const LeafRange &part : splitSubtree(range.begin, count))
          if (part.begin <= leaf && leaf < part.end)
            range = part;
        ASSERT_LT(range.end - range.begin, count);
      }
      EXPECT_EQ(range.begin, leaf);
    }
  }
}

TEST(Descent, ChunksJoinToTheDigestOfTheBytes) {
  for (size_t size :
       {0u, 1u, 1023u, 1024u, 1025u, 2047u, 2048u, 2049u, 3072u, 3073u, 7168u,
        8191u, 8192u, 8193u, 65'536u, 65'537u, 100'000u, 300u * 1024}) {
    const std::vector<std::byte> bytes = makeBytes(size);
    const uint64_t chunks = countChunks(size);
    std::vector<Digest> parts;
    for (const LeafRange &part : splitChunks(chunks))
      parts.push_back(digestChunks(bytes, part.begin, part.end - part.begin));
    const std::string_view last =
        textOf(bytes).substr((chunks - 1) * kChunkBytes);
    const std::optional<Digest> joined = joinChunks(size, parts, last);
    ASSERT_TRUE(joined) << size;
    EXPECT_EQ(toHex(*joined), hashHex(bytes.data(), size)) << size;
    expectOnlyTheseJoin(parts, [&](const std::vector<Digest> &given) {
      return joinChunks(size, given, last);
    });
    EXPECT_EQ(joinChunks(size, parts, std::string(last) + "x"), std::nullopt);
    if (!last.empty()) {
      EXPECT_EQ(joinChunks(size, parts, last.substr(1)), std::nullopt);
      std::string other(last);
      other.back() = char(other.back() ^ 1);
      EXPECT_NE(joinChunks(size, parts, other), joined);
    }
  }
}

/// Subtrees of whole chunks, whose sizes are powers of two.
TEST(Descent, ChunkPartsJoinToTheirSubtree) {
  const std::vector<std::byte> bytes = makeBytes(size_t(512) * kChunkBytes);
  for (uint64_t count = 1; count <= 256; count *= 2)
    for (uint64_t begin : {uint64_t(0), count, 512 - count}) {
      std::vector<Digest> parts;
      for (const LeafRange &part : splitSubtree(begin, count))
        parts.push_back(digestChunks(bytes, part.begin, part.end - part.begin));
      EXPECT_EQ(joinChunkParts(begin, count, parts),
                digestChunks(bytes, begin, count));
      expectOnlyTheseJoin(parts, [&](const std::vector<Digest> &given) {
        return joinChunkParts(begin, count, given);
      });
    }
}

/// Chunks are hashed with their numbers, so equal bytes elsewhere differ.
TEST(Descent, ChunksAreBoundToTheirPlace) {
  const std::vector<std::byte> bytes(size_t(4) * kChunkBytes);
  EXPECT_NE(digestChunks(bytes, 0, 1), digestChunks(bytes, 1, 1));
}
