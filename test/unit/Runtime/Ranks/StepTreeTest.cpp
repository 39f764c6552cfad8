#include "Ranks/StepTree.h"

#include "gtest/gtest.h"

#include <string>

namespace gensyn::runtime {
namespace {

/// "((0+1)+2)": the sum as it is written.
std::string write(TreeNode node) {
  if (node.count == 1)
    return std::to_string(node.first);
  const auto [left, right] = node.children();
  return "(" + write(left) + "+" + write(right) + ")";
}

TEST(StepTree, HasTheLargestPowerOfTwoOnTheLeft) {
  EXPECT_EQ(write({0, 1}), "0");
  EXPECT_EQ(write({0, 3}), "((0+1)+2)");
  EXPECT_EQ(write({0, 4}), "((0+1)+(2+3))");
  EXPECT_EQ(write({0, 6}), "(((0+1)+(2+3))+(4+5))");
  EXPECT_EQ(write({0, 7}), "(((0+1)+(2+3))+((4+5)+6))");
}

TEST(StepTree, RanksDivideTheMicrobatchesInOrder) {
  for (int64_t microbatches : {1, 2, 7, 16, 100})
    for (int ranks = 1; ranks <= 20; ++ranks) {
      int64_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const MicrobatchRange range = rangeOf(rank, ranks, microbatches);
        EXPECT_EQ(range.begin, next);
        EXPECT_GE(range.count(), microbatches / ranks);
        EXPECT_LE(range.count(), (microbatches + ranks - 1) / ranks);
        next = range.end;
      }
      EXPECT_EQ(next, microbatches);
    }
}

/// The sum over `node` from those of `parts`, which it takes in order.
std::string join(TreeNode node, const std::vector<TreeNode> &parts,
                 size_t &next) {
  if (next < parts.size() && parts[next] == node)
    return write(parts[next++]);
  if (node.count == 1)
    return "missing";
  const auto [left, right] = node.children();
  const std::string first = join(left, parts, next);
  return "(" + first + "+" + join(right, parts, next) + ")";
}

TEST(StepTree, NodesOfAllRanksMakeTheTree) {
  for (int64_t microbatches = 1; microbatches <= 40; ++microbatches)
    for (int ranks = 1; ranks <= microbatches + 2; ++ranks) {
      std::vector<TreeNode> parts;
      for (int rank = 0; rank < ranks; ++rank) {
        const auto range = rangeOf(rank, ranks, microbatches);
        const std::vector<TreeNode> nodes = nodesIn(range, microbatches);
        // At most two for each level.
        size_t levels = 1;
        while ((int64_t(1) << levels) <= microbatches)
          ++levels;
        EXPECT_LE(nodes.size(), 2 * levels);
        parts.insert(parts.end(), nodes.begin(), nodes.end());
      }
      size_t next = 0;
      EXPECT_EQ(join({0, microbatches}, parts, next), write({0, microbatches}));
      EXPECT_EQ(next, parts.size());
    }
}

TEST(StepTree, AnAlignedPowerOfTwoIsOneNode) {
  for (int rank = 0; rank < 4; ++rank)
    EXPECT_EQ(nodesIn(rangeOf(rank, 4, 16), 16).size(), 1u);
}

/// Adds up a node as Microbatches does: leaves in order, each complete node to
/// its left neighbour.
TEST(StepTree, LeavesAndSiblingsMakeTheNode) {
  for (int64_t microbatches = 1; microbatches <= 40; ++microbatches)
    for (TreeNode root :
         nodesIn({microbatches / 3, microbatches}, microbatches)) {
      std::vector<std::pair<TreeNode, std::string>> complete;
      for (int64_t next = root.first; next < root.end();) {
        const TreeNode leaf = leafOf(next, root);
        EXPECT_EQ(leaf.first, next);
        EXPECT_LE(leaf.count, 2);
        next = leaf.end();
        complete.emplace_back(leaf, write(leaf));
        while (complete.size() > 1) {
          auto &[left, sum] = complete[complete.size() - 2];
          const auto &[right, other] = complete.back();
          if (!areSiblings(left, right, root))
            break;
          left.count += right.count;
          sum = "(" + sum + "+" + other + ")";
          complete.pop_back();
        }
      }
      ASSERT_EQ(complete.size(), 1u);
      EXPECT_EQ(complete.front().first, root);
      EXPECT_EQ(complete.front().second, write(root));
    }
}

} // namespace
} // namespace gensyn::runtime
