// Finding where two trees differ: the parts of a subtree, a level at a time.
#ifndef GENSYN_PROOF_TREES_DESCENT_H
#define GENSYN_PROOF_TREES_DESCENT_H

#include "gensyn/Proof/Trees/Siblings.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gensyn::proof {

/// The parts that a subtree of `count` leaves is shown as: all its nodes some
/// levels below it, at most 64, from the left to the right. A part of one leaf
/// is a leaf.
std::vector<LeafRange> splitSubtree(uint64_t begin, uint64_t count);

/// The digest of a subtree of a ListTree from those of its parts; std::nullopt
/// if there are more or fewer of them.
std::optional<Digest> joinListParts(uint64_t begin, uint64_t count,
                                    std::span<const Digest> parts);
/// The root of a ListTree whose topmost node, of all leaves, has this digest.
Digest findListRoot(std::string_view kind, uint64_t size, const Digest &top);

/// The largest whole subtrees of chunks before the last one: what the BLAKE3
/// digest of so many chunks consists of, beside the last chunk.
std::vector<LeafRange> splitChunks(uint64_t chunks);
/// The digest of all bytes from those subtrees and the bytes of the last chunk;
/// std::nullopt if their number is another one.
std::optional<Digest> joinChunks(uint64_t bytes, std::span<const Digest> parts,
                                 std::string_view lastChunk);
/// The digest of a subtree of whole chunks, a power of two, from those of its
/// parts.
std::optional<Digest> joinChunkParts(uint64_t begin, uint64_t count,
                                     std::span<const Digest> parts);
/// That of a subtree of whole chunks of these bytes.
Digest digestChunks(std::span<const std::byte> bytes, uint64_t begin,
                    uint64_t count);

} // namespace gensyn::proof

#endif
