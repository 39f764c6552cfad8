// What a proof has beside the leaves that it proves.
#ifndef GENSYN_PROOF_TREES_SIBLINGS_H
#define GENSYN_PROOF_TREES_SIBLINGS_H

#include "gensyn/Executable/Support/Hash.h"

#include <cstdint>
#include <vector>

namespace gensyn::proof {

/// Leaves of a tree. A list of them is sorted, and none is empty or touches
/// another one.
struct LeafRange {
  uint64_t begin = 0, end = 0;

  bool operator==(const LeafRange &) const = default;
};

/// Sorts and joins ranges.
std::vector<LeafRange> normalize(std::vector<LeafRange> ranges);

/// The digests of the largest subtrees that have none of the leaves, from the
/// left to the right. So a proof of several leaves is one, which shares what
/// they share.
using Siblings = std::vector<Digest>;

} // namespace gensyn::proof

#endif
