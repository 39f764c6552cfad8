// See ByteTree.h.

#include "gensyn/Proof/Trees/ByteTree.h"

#include "FoldTree.h"
#include "gensyn/Proof/Trees/Descent.h"

namespace gensyn::proof {

uint64_t countChunks(uint64_t bytes) {
  return bytes == 0 ? 1 : (bytes - 1) / kChunkBytes + 1;
}

std::vector<LeafRange> findChunks(const std::vector<LeafRange> &bytes) {
  std::vector<LeafRange> chunks;
  for (const LeafRange &range : bytes)
    if (range.begin < range.end)
      chunks.push_back(
          {range.begin / kChunkBytes, (range.end - 1) / kChunkBytes + 1});
  return normalize(std::move(chunks));
}

/// The bytes of one of the ranges.
static uint64_t countBytes(const LeafRange &range, uint64_t size) {
  return std::min(range.end * kChunkBytes, size) - range.begin * kChunkBytes;
}

/// Calls `visit(begin, count)` for the largest subtrees of the chunks before
/// the last one, from the left to the right: powers of two of whole chunks.
template <class Visit> static void visitWhole(uint64_t chunks, Visit visit) {
  uint64_t begin = 0;
  for (uint64_t left = chunks - 1; left > 0;) {
    const uint64_t count = std::bit_floor(left);
    visit(begin, count);
    begin += count;
    left -= count;
  }
}

std::vector<LeafRange> splitChunks(uint64_t chunks) {
  std::vector<LeafRange> parts;
  visitWhole(chunks, [&](uint64_t begin, uint64_t count) {
    parts.push_back({begin, begin + count});
  });
  return parts;
}

std::optional<Digest> joinChunks(uint64_t bytes, std::span<const Digest> parts,
                                 std::string_view lastChunk) {
  const uint64_t chunks = countChunks(bytes);
  const std::vector<LeafRange> ranges = splitChunks(chunks);
  if (parts.size() != ranges.size() ||
      lastChunk.size() != bytes - (chunks - 1) * kChunkBytes)
    return std::nullopt;
  Hasher hasher;
  for (size_t i = 0; i < parts.size(); ++i)
    hasher.addSubtree(parts[i],
                      (ranges[i].end - ranges[i].begin) * kChunkBytes);
  hasher.update(lastChunk);
  return hasher.digest();
}

std::optional<Digest> joinChunkParts(uint64_t begin, uint64_t count,
                                     std::span<const Digest> parts) {
  return joinParts(begin, count, parts, Hasher::join);
}

Digest digestChunks(std::span<const std::byte> bytes, uint64_t begin,
                    uint64_t count) {
  return Hasher::digestSubtree(begin * kChunkBytes,
                               bytes.data() + begin * kChunkBytes,
                               count * kChunkBytes);
}

namespace {

struct ChunkMaker : SiblingVisitor {
  explicit ChunkMaker(std::span<const std::byte> bytes) : bytes(bytes) {}

  Digest other(uint64_t begin, uint64_t count) {
    return keep(digestChunks(bytes, begin, count));
  }

  std::span<const std::byte> bytes;
};

/// Chunks one after the other, in the order of the walk.
struct ChunkReader : SiblingReader {
  explicit ChunkReader(const ChunkProof &proof)
      : SiblingReader{proof.siblings}, data(proof.data.data()) {}

  Digest leaf(uint64_t number) {
    const Digest digest =
        Hasher::digestSubtree(number * kChunkBytes, data, kChunkBytes);
    data += kChunkBytes;
    return digest;
  }
  Digest join(const Digest &left, const Digest &right) const {
    return Hasher::join(left, right);
  }

  const std::byte *data;
};

} // namespace

ChunkProof proveChunks(std::span<const std::byte> bytes,
                       std::vector<LeafRange> chunks) {
  const uint64_t count = countChunks(bytes.size());
  chunks.push_back({count - 1, count});
  ChunkProof proof{normalize(std::move(chunks)), {}, {}};
  for (const LeafRange &range : proof.chunks) {
    const auto part = bytes.subspan(range.begin * kChunkBytes,
                                    countBytes(range, bytes.size()));
    proof.data.insert(proof.data.end(), part.begin(), part.end());
  }
  ChunkMaker maker(bytes);
  visitWhole(count, [&](uint64_t begin, uint64_t whole) {
    foldTree(begin, whole, proof.chunks, maker);
  });
  proof.siblings = std::move(maker.siblings);
  return proof;
}

std::optional<Digest> findDigest(uint64_t size, const ChunkProof &proof) {
  const uint64_t count = countChunks(size);
  if (proof.chunks.empty() || proof.chunks != normalize(proof.chunks) ||
      proof.chunks.back().end != count)
    return std::nullopt;
  // Before anything is hashed, since ranges may be of any length.
  uint64_t bytes = 0;
  for (const LeafRange &range : proof.chunks)
    bytes += countBytes(range, size);
  if (bytes != proof.data.size())
    return std::nullopt;
  Hasher hasher;
  ChunkReader reader(proof);
  visitWhole(count, [&](uint64_t begin, uint64_t whole) {
    hasher.addSubtree(foldTree(begin, whole, proof.chunks, reader),
                      whole * kChunkBytes);
  });
  if (!reader.isDone())
    return std::nullopt;
  hasher.update(reader.data, size - (count - 1) * kChunkBytes);
  return hasher.digest();
}

} // namespace gensyn::proof
