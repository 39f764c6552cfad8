// Right answers, counted.

#include "Training/Evaluate.h"

#include <gtest/gtest.h>

#include <limits>

using namespace gensyn;
using namespace gensyn::runtime;

static std::optional<AccuracyCount> hits(const Tensor &logits,
                                         const Tensor &target,
                                         int64_t axis = -1,
                                         std::optional<int64_t> ignored = {}) {
  return countCorrect(logits, target, axis, ignored);
}

TEST(Evaluate, largestLogitWins) {
  Tensor logits = Tensor::of<float>({3, 3}, {0, 2, 1, 5, 4, 3, -3, -2, -1});
  auto found = hits(logits, Tensor::of<int64_t>({3}, {1, 0, 0}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->right, 2);
  EXPECT_EQ(found->counted, 3);
}

TEST(Evaluate, firstOfEqualsWins) {
  Tensor logits = Tensor::of<float>({2, 3}, {7, 7, 7, -0.0f, 0.0f, -1});
  EXPECT_EQ(hits(logits, Tensor::of<int64_t>({2}, {0, 0}))->right, 2);
}

TEST(Evaluate, ignoredRowsDoNotCount) {
  Tensor logits = Tensor::of<float>({3, 2}, {0, 1, 0, 1, 0, 1});
  auto found = hits(logits, Tensor::of<int64_t>({3}, {1, -100, 0}), -1, -100);
  EXPECT_EQ(found->right, 1);
  EXPECT_EQ(found->counted, 2);
}

TEST(Evaluate, classesOnAnotherAxis) {
  // [1,2,2]: classes along axis 1.
  Tensor logits = Tensor::of<double>({1, 2, 2}, {1, 8, 2, 7});
  Tensor target = Tensor::of<int32_t>({1, 2}, {1, 0});
  EXPECT_EQ(hits(logits, target, 1)->right, 2);
  EXPECT_EQ(hits(logits, target, -2)->right, 2);
}

TEST(Evaluate, whatIsNoClassification) {
  Tensor logits(ElementType::F32, {3, 2});
  EXPECT_FALSE(hits(logits, Tensor(ElementType::F32, {3})));
  EXPECT_FALSE(hits(logits, Tensor(ElementType::I64, {2})));
  EXPECT_FALSE(hits(logits, Tensor(ElementType::I64, {3}), 2));
  EXPECT_FALSE(
      hits(Tensor(ElementType::F32, {3, 0}), Tensor(ElementType::I64, {3})));
}

TEST(Evaluate, rowsThatCount) {
  Tensor target = Tensor::of<int32_t>({2, 2}, {1, -100, 0, -100});
  EXPECT_EQ(weighRows(target, std::nullopt, {}), 4);
  EXPECT_EQ(weighRows(target, -100, {}), 2);
  EXPECT_EQ(weighRows(target, 7, {}), 4);
}

TEST(Evaluate, rowsWeighWhatTheirClassesDo) {
  Tensor target = Tensor::of<int64_t>({5}, {1, 0, -100, 1, 2});
  const std::vector<double> weights = {0.5, 2, 0.1};
  EXPECT_EQ(weighRows(target, -100, weights), 0.5 + 2 + 2 + 0.1);
  EXPECT_EQ(weighRows(target, -100, weights, ElementType::F32),
            0.5 + 2 + 2 + double(0.1f));
}

// The bits that docs/Numerics.md states for exp (function_r2).
TEST(Evaluate, perplexityIsExpOfTheLoss) {
  EXPECT_EQ(perplexityOf(0), 1.0);
  EXPECT_EQ(perplexityOf(1), 0x1.5bf0a8b145769p+1);
  EXPECT_EQ(perplexityOf(std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
}
