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
  bool isAllowed = true;
};

Quality rate(const std::vector<int64_t> &costs,
             const std::vector<int64_t> &crossing,
             const std::vector<unsigned> &earliest,
             llvm::ArrayRef<unsigned> cuts) {
  Quality quality;
  int64_t part = 0;
  unsigned first = 0;
  for (unsigned i = 0; i < costs.size(); ++i) {
    if (llvm::is_contained(cuts, i)) {
      quality.crossed += crossing[i];
      part = 0;
      first = i;
    }
    quality.isAllowed &= first >= earliest[i + 1];
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
  int possible = 0;
  for (int trial = 0; trial < 800; ++trial) {
    const unsigned links = 1 + random() % 9;
    const unsigned parts = 1 + random() % links;
    const int64_t slack = std::vector<int64_t>{0, 5, 50}[random() % 3];
    std::vector<int64_t> costs, crossing;
    for (unsigned i = 0; i < links; ++i) {
      costs.push_back(random() % 4 == 0 ? 0 : random() % 500);
      crossing.push_back(random() % 5);
    }
    std::vector<unsigned> earliest = {0};
    for (unsigned i = 0; i < links; ++i)
      earliest.push_back(std::min<unsigned>(
          i + random() % 8 / 7,
          earliest.back() + (trial % 2 == 0 ? 0 : random() % 3)));
    int64_t least = std::numeric_limits<int64_t>::max();
    forEachChoice(links, parts, [&](llvm::ArrayRef<unsigned> cuts) {
      const Quality quality = rate(costs, crossing, earliest, cuts);
      if (quality.isAllowed)
        least = std::min(least, quality.largest);
    });
    std::pair<int64_t, int64_t> best = {std::numeric_limits<int64_t>::max(), 0};
    forEachChoice(links, parts, [&](llvm::ArrayRef<unsigned> cuts) {
      const Quality quality = rate(costs, crossing, earliest, cuts);
      if (quality.isAllowed && quality.largest <= least + least * slack / 100)
        best = std::min(best, std::pair(quality.crossed, quality.largest));
    });
    const auto cuts = chooseCuts(costs, crossing, earliest, parts, slack);
    ASSERT_EQ(cuts.has_value(), least < std::numeric_limits<int64_t>::max());
    possible += cuts.has_value();
    if (!cuts)
      continue;
    ASSERT_EQ(cuts->size() + 1, parts);
    EXPECT_TRUE(std::is_sorted(cuts->begin(), cuts->end()));
    const Quality quality = rate(costs, crossing, earliest, *cuts);
    EXPECT_TRUE(quality.isAllowed);
    EXPECT_EQ(std::pair(quality.crossed, quality.largest), best);
  }
  EXPECT_GT(possible, 400);
  EXPECT_LT(possible, 800);
}

TEST(ChooseCuts, CostsWithoutEnd) {
  // Sums that exceed int64 stay at its largest number.
  const int64_t most = std::numeric_limits<int64_t>::max();
  const auto cuts = chooseCuts({most, most, 1}, {0, 0, 0}, {0, 0, 0, 0}, 2, 5);
  ASSERT_TRUE(cuts);
  EXPECT_EQ(cuts->size(), 1U);
}
} // namespace
