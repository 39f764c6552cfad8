// Chunks of bytes are proved by the BLAKE3 digest of all.

#include "gensyn/Proof/Trees/ByteTree.h"

#include <gtest/gtest.h>

#include <random>

using namespace gensyn;
using namespace gensyn::proof;

namespace {

std::vector<std::byte> makeBytes(size_t size) {
  std::mt19937 random(uint32_t(size + 1));
  std::vector<std::byte> bytes(size);
  for (std::byte &byte : bytes)
    byte = std::byte(random());
  return bytes;
}

std::vector<LeafRange> makeRanges(std::mt19937 &random, uint64_t count) {
  std::vector<LeafRange> ranges;
  for (uint32_t n = 1 + random() % 3; n > 0; --n) {
    const uint64_t begin = random() % count;
    ranges.push_back({begin, begin + 1 + random() % (count - begin)});
  }
  return normalize(ranges);
}

} // namespace

TEST(ByteTree, ProvesAnyChunks) {
  std::mt19937 random(1);
  for (size_t size : {0u, 1u, 1024u, 1025u, 2048u, 3000u, 4096u, 5121u, 65'536u,
                      65'537u, 100'000u}) {
    const std::vector<std::byte> bytes = makeBytes(size);
    for (int round = 0; round < 20; ++round) {
      const auto ranges = makeRanges(random, countChunks(size));
      const ChunkProof proof = proveChunks(bytes, ranges);
      const auto digest = findDigest(size, proof);
      ASSERT_TRUE(digest) << size;
      EXPECT_EQ(toHex(*digest), hashHex(bytes.data(), size)) << size;
    }
  }
}

TEST(ByteTree, OneChunkOfMany) {
  const std::vector<std::byte> bytes = makeBytes(1 << 20);
  const ChunkProof proof = proveChunks(bytes, {{77, 78}});
  // That one, and the last one.
  EXPECT_EQ(proof.data.size(), 2048u);
  EXPECT_EQ(proof.siblings.size(), 18u);
}

/// Everything that can be altered, altered.
TEST(ByteTree, NothingElseHasTheDigest) {
  const uint64_t size = 10'000; // ten chunks
  const std::vector<std::byte> bytes = makeBytes(size);
  const ChunkProof right = proveChunks(bytes, {{2, 3}, {6, 8}});
  const auto digest = findDigest(size, right);
  ASSERT_TRUE(digest);
  auto isAccepted = [&](uint64_t bytesInAll, const ChunkProof &proof) {
    return findDigest(bytesInAll, proof) == digest;
  };
  for (size_t i = 0; i < right.data.size(); i += 97) {
    ChunkProof wrong = right;
    wrong.data[i] ^= std::byte(1 << i % 8);
    EXPECT_FALSE(isAccepted(size, wrong));
  }
  for (size_t i = 0; i < right.siblings.size(); ++i) {
    ChunkProof wrong = right;
    wrong.siblings[i][i] ^= 1;
    EXPECT_FALSE(isAccepted(size, wrong));
    wrong = right;
    wrong.siblings.erase(wrong.siblings.begin() + long(i));
    EXPECT_FALSE(isAccepted(size, wrong));
    wrong = right;
    wrong.siblings.insert(wrong.siblings.begin() + long(i), Digest());
    EXPECT_FALSE(isAccepted(size, wrong));
  }
  for (std::vector<LeafRange> chunks : {std::vector<LeafRange>{{2, 3}, {7, 10}},
                                        {{3, 4}, {6, 8}, {9, 10}},
                                        {{6, 8}, {2, 3}, {9, 10}},
                                        {{2, 3}, {6, 6}, {6, 8}, {9, 10}},
                                        {{2, 3}, {6, 7}, {7, 8}, {9, 10}},
                                        {{2, 3}, {6, 8}},
                                        {{2, 3}, {9, 10}},
                                        {{2, 3}, {6, 12}},
                                        {{2, 3}, {6, uint64_t(-1)}},
                                        {}}) {
    ChunkProof wrong = right;
    wrong.chunks = chunks;
    EXPECT_FALSE(isAccepted(size, wrong));
  }
  for (uint64_t other : {uint64_t(0), size - 1, size + 1, uint64_t(9'000),
                         uint64_t(10'241), uint64_t(1) << 20, uint64_t(-1)})
    EXPECT_FALSE(isAccepted(other, right)) << other;
}

/// A range that claims to have very many chunks is refused at once.
TEST(ByteTree, LongRangesCostNothing) {
  const uint64_t size = uint64_t(1) << 60;
  ChunkProof proof;
  proof.chunks = {{0, countChunks(size)}};
  proof.data.resize(1024);
  EXPECT_FALSE(findDigest(size, proof));
}

TEST(ByteTree, ChunksOfRangesOfBytes) {
  EXPECT_EQ(findChunks({{1023, 1025}, {5000, 5001}, {7, 7}, {2048, 2050}}),
            (std::vector<LeafRange>{{0, 3}, {4, 5}}));
}
