// Sampling of tokens: its definition in Sampling.h.

#include "gensyn/Runtime/Generation/Sampling.h"
#include "gensyn/Executable/Support/Error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace gensyn;
using namespace gensyn::runtime;

static constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
static constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Sampling, greedyTakesTheFirstOfTheLargest) {
  EXPECT_EQ(sampleToken(std::vector<float>{1, 3, 2, 3}, {}, 0), 1);
  EXPECT_EQ(sampleToken(std::vector<float>{kNan, -5, kNan}, {}, 0), 1);
  EXPECT_EQ(sampleToken(std::vector<float>{-kInfinity, -kInfinity}, {}, 0), 0);
  EXPECT_EQ(sampleToken(std::vector<float>{0, kInfinity}, {}, 0), 1);
  EXPECT_THROW(sampleToken(std::vector<float>{kNan, kNan}, {}, 0), Failure);
  // Zero as a float.
  EXPECT_EQ(sampleToken(std::vector<float>{1, 3, 2, 3}, {1e-300, 0, 0}, 0), 1);
}

// The draws are a part of what a text is: changing them changes every text.
TEST(Sampling, knownAnswers) {
  std::vector<float> logits = {0.5f, 0.25f, 1.0f, -1.0f, 0.75f};
  std::vector<int64_t> found;
  for (uint64_t position = 0; position < 12; ++position)
    found.push_back(sampleToken(logits, {1.0, 0, 7}, position));
  EXPECT_EQ(found, (std::vector<int64_t>{4, 4, 0, 1, 4, 1, 2, 2, 4, 0, 4, 4}));
}

TEST(Sampling, drawsAsOftenAsTheSoftmaxSays) {
  // exp of these is 1 : 3 : 4, so of 8000 draws 1000, 3000 and 4000; five
  // standard deviations of a binomial are below 225.
  std::vector<float> logits = {0.0f, std::log(3.0f), std::log(4.0f)};
  int counts[3] = {};
  for (uint64_t position = 0; position < 8000; ++position)
    ++counts[sampleToken(logits, {1.0, 0, 1}, position)];
  EXPECT_NEAR(counts[0], 1000, 225);
  EXPECT_NEAR(counts[1], 3000, 225);
  EXPECT_NEAR(counts[2], 4000, 225);
}

TEST(Sampling, topKLeavesOutTheRest) {
  std::vector<float> logits = {2, 2, 1, 2, 0};
  for (uint64_t position = 0; position < 200; ++position) {
    EXPECT_LT(sampleToken(logits, {1.0, 2, 3}, position), 2);
    EXPECT_EQ(sampleToken(logits, {1.0, 1, 3}, position), 0);
  }
}

TEST(Sampling, impossibleTokensAreNotDrawn) {
  std::vector<float> logits = {-kInfinity, 0, kNan, -kInfinity};
  for (uint64_t position = 0; position < 200; ++position)
    EXPECT_EQ(sampleToken(logits, {2.0, 0, 5}, position), 1);
}

TEST(Sampling, dependsOnSeedAndPositionOnly) {
  std::vector<float> logits(64);
  EXPECT_EQ(sampleToken(logits, {1.0, 0, 5}, 9),
            sampleToken(logits, {1.0, 0, 5}, 9));
  EXPECT_NE(sampleToken(logits, {1.0, 0, 5}, 9),
            sampleToken(logits, {1.0, 0, 5}, 10));
  EXPECT_NE(sampleToken(logits, {1.0, 0, 5}, 9),
            sampleToken(logits, {1.0, 0, 6}, 9));
}
