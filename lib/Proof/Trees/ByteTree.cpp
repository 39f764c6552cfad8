// See ByteTree.h.

#include "gensyn/Proof/Trees/ByteTree.h"

#include "FoldTree.h"

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

namespace {

/// Bytes of which each chunk is at its place.
struct ChunkMaker {
  std::span<const std::byte> bytes;
  Siblings siblings;

  Digest digest(uint64_t begin, uint64_t count) const {
    const auto part = bytes.subspan(
        begin * kChunkBytes,
        std::min(count * kChunkBytes, bytes.size() - begin * kChunkBytes));
    return Hasher::digestSubtree(begin * kChunkBytes, part.data(), part.size());
  }
  bool other(uint64_t begin, uint64_t count) {
    siblings.push_back(digest(begin, count));
    return true;
  }
  bool leaf(uint64_t) { return true; }
  bool join(bool, bool, bool) { return true; }
};

/// Chunks one after the other, in the order of the walk.
struct ChunkReader {
  uint64_t size;
  const ChunkProof &proof;
  size_t read = 0, taken = 0;
  bool isShort = false;

  Digest other(uint64_t, uint64_t) {
    if (taken < proof.siblings.size())
      return proof.siblings[taken++];
    isShort = true;
    return {};
  }
  Digest leaf(uint64_t number) {
    const uint64_t offset = number * kChunkBytes;
    const uint64_t bytes = std::min(kChunkBytes, size - offset);
    const std::byte *data = proof.data.data() + read;
    read += bytes;
    return Hasher::digestSubtree(offset, data, bytes);
  }
  Digest join(const Digest &left, const Digest &right, bool isAll) const {
    return isAll ? Hasher::joinAll(left, right) : Hasher::join(left, right);
  }
};

} // namespace

ChunkProof proveChunks(std::span<const std::byte> bytes,
                       const std::vector<LeafRange> &chunks) {
  ChunkProof proof{chunks, {}, {}};
  for (const LeafRange &range : chunks) {
    const auto part = bytes.subspan(range.begin * kChunkBytes,
                                    countBytes(range, bytes.size()));
    proof.data.insert(proof.data.end(), part.begin(), part.end());
  }
  ChunkMaker maker{bytes, {}};
  foldTree(0, countChunks(bytes.size()), chunks, maker);
  proof.siblings = std::move(maker.siblings);
  return proof;
}

std::optional<Digest> findDigest(uint64_t size, const ChunkProof &proof) {
  const uint64_t count = countChunks(size);
  if (proof.chunks.empty() || proof.chunks != normalize(proof.chunks) ||
      proof.chunks.back().end > count)
    return std::nullopt;
  // Before anything is hashed, since ranges may be of any length.
  uint64_t bytes = 0;
  for (const LeafRange &range : proof.chunks)
    bytes += countBytes(range, size);
  if (bytes != proof.data.size())
    return std::nullopt;
  if (count == 1) { // the chunk is the whole input
    if (!proof.siblings.empty())
      return std::nullopt;
    Hasher hasher;
    hasher.update(proof.data.data(), size);
    return hasher.digest();
  }
  ChunkReader reader{size, proof};
  const Digest digest = foldTree(0, count, proof.chunks, reader);
  if (reader.isShort || reader.taken != proof.siblings.size())
    return std::nullopt;
  return digest;
}

} // namespace gensyn::proof
