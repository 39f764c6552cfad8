// Cuts of a chain against every possible one.

#include "Stages/ChooseCuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

using gensyn::train::chooseCuts;

namespace {
struct Quality {
  int64_t largest = 0, crossed = 0;
};

Quality rate(const std::vector<int64_t> &costs,
             const std::vector<int64_t> &crossing,
             llvm::ArrayRef<unsigned> cuts) {
  Quality quality;
  int64_t part = 0;
  for (unsigned i = 0; i < costs.size(); ++i) {
    if (llvm::is_contained(cuts, i)) {
      quality.crossed += crossing[i];
      part = 0;
    }
    quality.largest = std::max(quality.largest, part += costs[i]);
  }
  return quality;
}

/// Calls `call` with every choice of cuts.
template <class Call>
void forEachChoice(unsigned links, unsigned parts, Call call) {
  for (unsigned set = 0; set < 1U << (links - 1); ++set) {
    llvm::SmallVector<unsigned> cuts;
    for (unsigned i = 1; i < links; ++i)
      if (set >> (i - 1) & 1)
        cuts.push_back(i);
    if (cuts.size() + 1 == parts)
      call(cuts);
  }
}

TEST(ChooseCuts, IsTheBestOfAll) {
  std::mt19937 random(1); // NOLINT(cert-msc51-cpp): the same chains each time
  for (int trial = 0; trial < 400; ++trial) {
    const unsigned links = 1 + random() % 9;
    const unsigned parts = 1 + random() % links;
    const int64_t slack = std::vector<int64_t>{0, 5, 50}[random() % 3];
    std::vector<int64_t> costs, crossing;
    for (unsigned i = 0; i < links; ++i) {
      costs.push_back(random() % 4 == 0 ? 0 : random() % 500);
      crossing.push_back(random() % 5);
    }
    int64_t least = std::numeric_limits<int64_t>::max();
    forEachChoice(links, parts, [&](llvm::ArrayRef<unsigned> cuts) {
      least = std::min(least, rate(costs, crossing, cuts).largest);
    });
    std::pair<int64_t, int64_t> best = {std::numeric_limits<int64_t>::max(), 0};
    forEachChoice(links, parts, [&](llvm::ArrayRef<unsigned> cuts) {
      const Quality quality = rate(costs, crossing, cuts);
      if (quality.largest <= least + least * slack / 100)
        best = std::min(best, std::pair(quality.crossed, quality.largest));
    });
    const auto cuts = chooseCuts(costs, crossing, parts, slack);
    ASSERT_EQ(cuts.size() + 1, parts);
    EXPECT_TRUE(std::is_sorted(cuts.begin(), cuts.end()));
    const Quality quality = rate(costs, crossing, cuts);
    EXPECT_EQ(std::pair(quality.crossed, quality.largest), best);
  }
}

TEST(ChooseCuts, CostsWithoutEnd) {
  // Sums that exceed int64 stay at its largest number.
  const int64_t most = std::numeric_limits<int64_t>::max();
  const auto cuts = chooseCuts({most, most, 1}, {0, 0, 0}, 2, 5);
  EXPECT_EQ(cuts.size(), 1U);
}
} // namespace
