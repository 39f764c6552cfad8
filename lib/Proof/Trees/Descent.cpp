// See Descent.h.

#include "gensyn/Proof/Trees/Descent.h"

#include <bit>

namespace gensyn::proof {

static constexpr int kLevels = 6;

static void split(uint64_t begin, uint64_t count, int levels,
                  std::vector<LeafRange> &parts) {
  if (levels == 0 || count <= 1) {
    parts.push_back({begin, begin + count});
    return;
  }
  const uint64_t left = std::bit_floor(count - 1);
  split(begin, left, levels - 1, parts);
  split(begin + left, count - left, levels - 1, parts);
}

std::vector<LeafRange> splitSubtree(uint64_t begin, uint64_t count) {
  std::vector<LeafRange> parts;
  split(begin, count, kLevels, parts);
  return parts;
}

} // namespace gensyn::proof
