// Proofs that bytes are part of something whose BLAKE3 digest is known.
#ifndef GENSYN_PROOF_TREES_BYTETREE_H
#define GENSYN_PROOF_TREES_BYTETREE_H

#include "gensyn/Proof/Trees/Siblings.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gensyn::proof {

/// BLAKE3 is a Merkle tree whose leaves are chunks of 1024 bytes: its flags
/// separate chunks, nodes and the root, and each chunk is hashed with its
/// number. So the digest of a tensor's bytes, at the full speed of BLAKE3, is a
/// commitment to each of its chunks.
inline constexpr uint64_t kChunkBytes = Hasher::kChunk;

/// The number of chunks of so many bytes: at least one.
uint64_t countChunks(uint64_t bytes);

/// The ranges of chunks that have these ranges of bytes.
std::vector<LeafRange> findChunks(const std::vector<LeafRange> &bytes);

/// Some chunks, one after the other in `data`, and what proves them. The last
/// chunk of all is always among them, and shows how many bytes there are.
struct ChunkProof {
  std::vector<LeafRange> chunks;
  std::vector<std::byte> data;
  Siblings siblings;
};

/// The proof of these chunks of `bytes`, and of the last one.
ChunkProof proveChunks(std::span<const std::byte> bytes,
                       std::vector<LeafRange> chunks);

/// The BLAKE3 digest of `size` bytes that have these chunks; std::nullopt if
/// the parts of the proof do not fit together, or to `size`.
std::optional<Digest> findDigest(uint64_t size, const ChunkProof &proof);

} // namespace gensyn::proof

#endif
