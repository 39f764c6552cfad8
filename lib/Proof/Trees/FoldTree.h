// The shape that lists and bytes share: a tree whose left side has the largest
// power of two of leaves that leaves at least one for the right side, as those
// of RFC 6962 and of BLAKE3.
#ifndef GENSYN_LIB_PROOF_TREES_FOLDTREE_H
#define GENSYN_LIB_PROOF_TREES_FOLDTREE_H

#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Proof/Trees/Siblings.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

namespace gensyn::proof {

/// Computes the value of a tree from some of its leaves: `Visitor` has
///
///   Value other(begin, count)  of a subtree without any of these leaves
///   Value leaf(number)
///   Value join(left, right, isAll)
///
/// and is called from the left to the right. A proof lists the values of
/// other() in the order of these calls, so its maker and its reader walk alike.
template <class Visitor>
auto foldTree(uint64_t begin, uint64_t count, std::span<const LeafRange> leaves,
              Visitor &visitor, bool isAll = true)
    -> decltype(visitor.leaf(begin)) {
  // The first range that ends behind `begin`.
  const auto found = std::partition_point(
      leaves.begin(), leaves.end(),
      [&](const LeafRange &range) { return range.end <= begin; });
  if (found == leaves.end() || found->begin >= begin + count)
    return visitor.other(begin, count);
  if (count == 1)
    return visitor.leaf(begin);
  const uint64_t left = std::bit_floor(count - 1);
  const auto first = foldTree(begin, left, leaves, visitor, false);
  const auto second =
      foldTree(begin + left, count - left, leaves, visitor, false);
  return visitor.join(first, second, isAll);
}

} // namespace gensyn::proof

#endif
