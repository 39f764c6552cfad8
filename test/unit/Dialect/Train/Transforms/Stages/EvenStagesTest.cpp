// Stages of several chunks, evened out.

#include "Stages/EvenStages.h"

#include "Stages/ChooseCuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

using gensyn::train::chooseCuts;
using gensyn::train::evenStages;

namespace {
using Cuts = llvm::SmallVector<unsigned>;

/// The costs of the stages, the largest first.
std::vector<int64_t> costsOfStages(const std::vector<int64_t> &costs,
                                   unsigned stages, const Cuts &cuts) {
  std::vector<int64_t> ofStage(stages, 0);
  unsigned chunk = 0;
  for (unsigned i = 0; i < costs.size(); ++i) {
    chunk += chunk < cuts.size() && cuts[chunk] == i;
    ofStage[chunk % stages] += costs[i];
  }
  std::sort(ofStage.begin(), ofStage.end(), std::greater<>());
  return ofStage;
}

TEST(EvenStages, OtherChunksOfALargeLinkBecomeSmaller) {
  // The last link is large, and of the second of two stages.
  const std::vector<int64_t> costs = {1, 1, 1, 1, 1, 1, 1, 1, 5};
  const std::vector<int64_t> even(9, 1);
  const std::vector<unsigned> anywhere(10, 0);
  Cuts cuts = {3, 6, 8};
  EXPECT_EQ(costsOfStages(costs, 2, cuts), (std::vector<int64_t>{8, 5}));
  evenStages(costs, even, anywhere, 2, cuts);
  EXPECT_EQ(cuts, (Cuts{4, 6, 8}));
  EXPECT_EQ(costsOfStages(costs, 2, cuts), (std::vector<int64_t>{7, 6}));

  // No cut moves to where more travels, or a chunk reads too much.
  const std::vector<int64_t> crossing = {0, 1, 1, 1, 2, 2, 1, 2, 1};
  cuts = {3, 6, 8};
  evenStages(costs, crossing, anywhere, 2, cuts);
  EXPECT_EQ(cuts, (Cuts{3, 6, 8}));
  const std::vector<unsigned> earliest = {0, 0, 0, 0, 1, 2, 3, 4, 5, 6};
  cuts = {3, 6, 8};
  evenStages(costs, even, earliest, 2, cuts);
  EXPECT_EQ(cuts, (Cuts{3, 5, 8}));
}

TEST(EvenStages, NoMoveIsLeft) {
  std::mt19937 random(1); // NOLINT(cert-msc51-cpp): the same chains each time
  int moved = 0;
  for (int trial = 0; trial < 800; ++trial) {
    const unsigned links = 4 + random() % 20, stages = 2 + random() % 3;
    const unsigned each = 2 + random() % 3;
    const unsigned chunks = std::min(links, stages * each);
    std::vector<int64_t> costs, crossing;
    for (unsigned i = 0; i < links; ++i) {
      costs.push_back(int64_t(random() % 20));
      crossing.push_back(int64_t(random() % 3));
    }
    std::vector<unsigned> earliest;
    for (unsigned i = 0; i <= links; ++i)
      earliest.push_back(i < 8 ? 0 : i - 8);
    const auto chosen = chooseCuts(costs, crossing, earliest, chunks, 5);
    if (!chosen)
      continue;
    Cuts cuts = *chosen;
    evenStages(costs, crossing, earliest, stages, cuts);
    const auto before = costsOfStages(costs, stages, *chosen);
    const auto after = costsOfStages(costs, stages, cuts);
    EXPECT_LE(after, before);
    moved += cuts != *chosen;
    for (size_t cut = 0; cut < cuts.size(); ++cut) {
      EXPECT_LE(crossing[cuts[cut]], crossing[(*chosen)[cut]]);
      const unsigned start = cut == 0 ? 0 : cuts[cut - 1];
      const unsigned end = cut + 1 < cuts.size() ? cuts[cut + 1] : links;
      ASSERT_LT(start, cuts[cut]);
      ASSERT_LT(cuts[cut], end);
      EXPECT_GE(start, earliest[cuts[cut]]);
      EXPECT_GE(cuts[cut], earliest[end]);
      for (unsigned place = start + 1; place < end; ++place) {
        Cuts other = cuts;
        other[cut] = place;
        if (crossing[place] <= crossing[cuts[cut]] &&
            start >= earliest[place] && place >= earliest[end]) {
          EXPECT_GE(costsOfStages(costs, stages, other), after);
        }
      }
    }
  }
  EXPECT_GT(moved, 200);
}
} // namespace
