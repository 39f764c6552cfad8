// The tree over the microbatches of a step (docs/Numerics.md, accumulate_r1),
// and the parts of it that ranks compute.
#ifndef GENSYN_LIB_RUNTIME_RANKS_STEPTREE_H
#define GENSYN_LIB_RUNTIME_RANKS_STEPTREE_H

#include <cstdint>
#include <utility>
#include <vector>

namespace gensyn::runtime {

/// The sum over the microbatches [first, first + count) where it occurs in the
/// tree.
struct TreeNode {
  int64_t first = 0;
  int64_t count = 1;

  int64_t end() const { return first + count; }
  /// Its two summands; count is more than 1. The first has the largest power of
  /// two of microbatches that leaves some.
  std::pair<TreeNode, TreeNode> children() const;

  bool operator==(const TreeNode &) const = default;
};

/// True if the sum of two nodes is in the tree of `root`.
bool areSiblings(TreeNode left, TreeNode right, TreeNode root);

/// The node of one or two microbatches in the tree of `root` that has this one.
TreeNode leafOf(int64_t microbatch, TreeNode root);

/// The microbatches [begin, end) of a rank. Ranks get as many as possible
/// alike, in their order.
struct MicrobatchRange {
  int64_t begin = 0;
  int64_t end = 0;

  int64_t count() const { return end - begin; }
};
MicrobatchRange rangeOf(int rank, int ranks, int64_t microbatches);

/// The largest nodes of the tree over `microbatches` that lie in a range, in
/// order: what a rank computes alone. At most two for each level of the tree.
std::vector<TreeNode> nodesIn(MicrobatchRange range, int64_t microbatches);

} // namespace gensyn::runtime

#endif
