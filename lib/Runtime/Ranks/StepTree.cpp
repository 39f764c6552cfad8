// See StepTree.h.

#include "StepTree.h"

#include <bit>

namespace gensyn::runtime {

std::pair<TreeNode, TreeNode> TreeNode::children() const {
  const auto left = int64_t(std::bit_floor(uint64_t(count - 1)));
  return {{first, left}, {first + left, count - left}};
}

bool areSiblings(TreeNode left, TreeNode right, TreeNode root) {
  while (root.count > 1) {
    const auto [first, second] = root.children();
    if (left == first && right == second)
      return true;
    root = left.first < second.first ? first : second;
  }
  return false;
}

TreeNode leafOf(int64_t microbatch, TreeNode root) {
  while (root.count > 2) {
    const auto [first, second] = root.children();
    root = microbatch < second.first ? first : second;
  }
  return root;
}

MicrobatchRange rangeOf(int rank, int ranks, int64_t microbatches) {
  return {microbatches * rank / ranks, microbatches * (rank + 1) / ranks};
}

static void collect(TreeNode node, MicrobatchRange range,
                    std::vector<TreeNode> &nodes) {
  if (node.end() <= range.begin || node.first >= range.end)
    return;
  if (node.first >= range.begin && node.end() <= range.end) {
    nodes.push_back(node);
    return;
  }
  const auto [left, right] = node.children();
  collect(left, range, nodes);
  collect(right, range, nodes);
}

std::vector<TreeNode> nodesIn(MicrobatchRange range, int64_t microbatches) {
  std::vector<TreeNode> nodes;
  collect({0, microbatches}, range, nodes);
  return nodes;
}

} // namespace gensyn::runtime
