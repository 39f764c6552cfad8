// The shape of trees: the left side has the largest power of two of leaves that
// leaves at least one for the right side, as in those of RFC 6962 and BLAKE3.
#ifndef GENSYN_LIB_PROOF_TREES_FOLDTREE_H
#define GENSYN_LIB_PROOF_TREES_FOLDTREE_H

#include "gensyn/Proof/Trees/Descent.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

namespace gensyn::proof {

/// Computes the digest of a subtree from some of its leaves: `Visitor` has
///
///   other(begin, count)  of a subtree without any of these leaves
///   leaf(number)
///   join(left, right)
///
/// which return digests, and is called from the left to the right. A proof
/// lists the digests of other() in the order of these calls, so its maker and
/// its reader walk alike.
template <class Visitor>
Digest foldTree(uint64_t begin, uint64_t count,
                std::span<const LeafRange> leaves, Visitor &visitor) {
  // The first range that ends behind `begin`.
  const auto found = std::partition_point(
      leaves.begin(), leaves.end(),
      [&](const LeafRange &range) { return range.end <= begin; });
  if (found == leaves.end() || found->begin >= begin + count)
    return visitor.other(begin, count);
  if (count == 1)
    return visitor.leaf(begin);
  const uint64_t left = std::bit_floor(count - 1);
  const Digest first = foldTree(begin, left, leaves, visitor);
  const Digest second = foldTree(begin + left, count - left, leaves, visitor);
  return visitor.join(first, second);
}

/// Computes the digest of a subtree from those of the parts that it is shown as
/// (splitSubtree); std::nullopt if they are more or fewer.
template <class Join>
std::optional<Digest> joinParts(uint64_t begin, uint64_t count,
                                std::span<const Digest> parts, Join join) {
  const std::vector<LeafRange> ranges = splitSubtree(begin, count);
  if (parts.size() != ranges.size())
    return std::nullopt;
  size_t taken = 0;
  auto fold = [&](auto &&fold, uint64_t begin, uint64_t count) -> Digest {
    if (ranges[taken] == LeafRange{begin, begin + count})
      return parts[taken++];
    const uint64_t left = std::bit_floor(count - 1);
    const Digest first = fold(fold, begin, left);
    return join(first, fold(fold, begin + left, count - left));
  };
  return fold(fold, begin, count);
}

/// The visitor of whoever makes a proof: keeps the digests that others need.
/// What it computes besides is not needed.
struct SiblingVisitor {
  Siblings siblings;

  Digest keep(const Digest &digest) {
    siblings.push_back(digest);
    return digest;
  }
  Digest leaf(uint64_t) { return {}; }
  Digest join(const Digest &, const Digest &) { return {}; }
};

/// Takes the digests of a proof in turn.
struct SiblingReader {
  const Siblings &siblings;
  size_t taken = 0;
  bool isShort = false;

  Digest other(uint64_t, uint64_t) {
    if (taken < siblings.size())
      return siblings[taken++];
    isShort = true;
    return {};
  }
  bool isDone() const { return !isShort && taken == siblings.size(); }
};

} // namespace gensyn::proof

#endif
