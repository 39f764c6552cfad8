// The order of an epoch's samples: random_r6.

#include "gensyn/Runtime/Data/Shuffle.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace gensyn;
using namespace gensyn::runtime;

TEST(Shuffle, isAPermutation) {
  for (int64_t count : {0, 1, 2, 3, 100, 4097}) {
    std::vector<int64_t> order = permutation(count, 7, 1);
    std::sort(order.begin(), order.end());
    ASSERT_EQ(int64_t(order.size()), count);
    for (int64_t i = 0; i < count; ++i)
      ASSERT_EQ(order[size_t(i)], i);
  }
}

TEST(Shuffle, dependsOnSeedAndEpoch) {
  EXPECT_NE(permutation(100, 7, 1), permutation(100, 7, 2));
  EXPECT_NE(permutation(100, 7, 1), permutation(100, 8, 1));
  EXPECT_NE(permutation(100, 7, 1), permutation(100, 7 + (1ull << 32), 1));
  EXPECT_EQ(permutation(100, 7, 1), permutation(100, 7, 1));
}

// The order is a part of what a training run is: changing it changes every
// digest that was ever recorded of a shuffled run.
TEST(Shuffle, knownAnswersRandomR6) {
  EXPECT_EQ(permutation(10, 0, 1),
            (std::vector<int64_t>{9, 8, 7, 2, 5, 1, 0, 3, 4, 6}));
  EXPECT_EQ(permutation(10, 7, 3),
            (std::vector<int64_t>{1, 9, 3, 4, 6, 2, 7, 5, 8, 0}));
}

TEST(Shuffle, everyPlaceIsEquallyLikely) {
  // 5000 epochs of 5 samples: each place holds each sample about 1000 times.
  int counts[5][5] = {};
  for (uint64_t epoch = 1; epoch <= 5000; ++epoch) {
    std::vector<int64_t> order = permutation(5, 3, epoch);
    for (int place = 0; place < 5; ++place)
      ++counts[place][order[size_t(place)]];
  }
  for (auto &row : counts)
    for (int count : row)
      EXPECT_NEAR(count, 1000, 150);
}
