// The tags of messages between the ranks of a run.
#ifndef GENSYN_LIB_RUNTIME_RANKS_TAGS_H
#define GENSYN_LIB_RUNTIME_RANKS_TAGS_H

#include <cstddef>
#include <cstdint>

namespace gensyn::runtime {

/// What microbatches contribute to the values that they pass on.
inline constexpr uint32_t kContributionTag = 1;
/// A tensor of a checkpoint.
inline constexpr uint32_t kTensorTag = 2;
/// Values that stages of a divided update exchange.
inline constexpr uint32_t kPartialTag = 3;
/// Ranges of what the first rank writes or evaluates.
inline constexpr uint32_t kWholeTag = 5;

/// The spans of a rank.
inline constexpr uint32_t kTraceTag = 6;

/// What batches of an evaluation give.
inline constexpr uint32_t kFiguresTag = 7;

/// Digests of subtrees, and the bytes between them.
inline constexpr uint32_t kDigestTag = 8;

/// A range of a sum of a node of the tree. Ranks do not make sums in the same
/// order.
inline uint32_t tagOfSum(size_t sum) {
  return 0x1000000 + static_cast<uint32_t>(sum);
}

/// A range of a sum over all microbatches.
inline uint32_t tagOfTotal(size_t sum) {
  return 0x4000000 + static_cast<uint32_t>(sum);
}

/// A range of a sum of what an island of ranks has added.
inline uint32_t tagOfJoined(size_t sum) {
  return 0x5000000 + static_cast<uint32_t>(sum);
}

/// A value that a segment passes on.
inline uint32_t tagOfCut(size_t cut) {
  return 0x3000000 + static_cast<uint32_t>(cut);
}

/// A range of a tensor on its way to all ranks.
inline uint32_t tagOfArriving(size_t number) {
  return 0x80000000 + static_cast<uint32_t>(number);
}

/// A range of a parameter before an update. Ranks do not ask for them in the
/// same order.
inline uint32_t tagOfParameter(size_t parameter) {
  return 0x2000000 + static_cast<uint32_t>(parameter);
}

} // namespace gensyn::runtime

#endif
