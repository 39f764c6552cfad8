// See Siblings.h.

#include "gensyn/Proof/Trees/Siblings.h"

#include <algorithm>

namespace gensyn::proof {

std::vector<LeafRange> normalize(std::vector<LeafRange> ranges) {
  std::sort(
      ranges.begin(), ranges.end(),
      [](const LeafRange &a, const LeafRange &b) { return a.begin < b.begin; });
  std::vector<LeafRange> result;
  for (const LeafRange &range : ranges) {
    if (range.begin >= range.end)
      continue;
    if (!result.empty() && range.begin <= result.back().end)
      result.back().end = std::max(result.back().end, range.end);
    else
      result.push_back(range);
  }
  return result;
}

} // namespace gensyn::proof
