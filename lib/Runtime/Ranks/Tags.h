// The tags of messages between the ranks of a run.
#ifndef GENSYN_LIB_RUNTIME_RANKS_TAGS_H
#define GENSYN_LIB_RUNTIME_RANKS_TAGS_H

#include <cstdint>

namespace gensyn::runtime {

/// A slice of the sums of a node of the tree.
inline constexpr uint32_t kPartialTag = 1;
/// A slice of the sums of a step.
inline constexpr uint32_t kTotalTag = 2;
/// What microbatches contribute to the values that they pass on.
inline constexpr uint32_t kContributionTag = 3;
/// A tensor of a checkpoint.
inline constexpr uint32_t kTensorTag = 4;
/// An executable.
inline constexpr uint32_t kExecutableTag = 5;

} // namespace gensyn::runtime

#endif
