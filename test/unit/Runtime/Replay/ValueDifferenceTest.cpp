// How tensors differ, and which ops of two programs are a pair.

#include "gensyn/Runtime/Models/ProgramOps.h"
#include "gensyn/Runtime/Replay/StepDifference.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

using namespace gensyn;
using namespace gensyn::runtime;

static Tensor floats(std::vector<float> values) {
  const auto count = int64_t(values.size());
  return Tensor::of<float>({count}, values);
}

TEST(ValueDifferenceTest, equalTensorsDoNotDiffer) {
  EXPECT_FALSE(compareValues(floats({1, 2}), floats({1, 2})));
}

TEST(ValueDifferenceTest, theWorstElementsComeFirst) {
  const auto found = compareValues(floats({1, 2, 3, 4, 5}),
                                   floats({1, 2.5, 3.0000002f, 8, -5}), 3);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->elements, 5);
  EXPECT_EQ(found->different, 4);
  ASSERT_EQ(found->worst.size(), 3u);
  EXPECT_EQ(found->worst[0].index, std::vector<int64_t>{4});
  EXPECT_EQ(found->worst[1].index, std::vector<int64_t>{3});
  EXPECT_EQ(found->worst[2].index, std::vector<int64_t>{1});
  EXPECT_EQ(found->worst[1].first, "4");
  EXPECT_EQ(found->worst[1].second, "8");
  EXPECT_EQ(found->worst[1].firstBits, "0x40800000");
  EXPECT_EQ(found->worst[1].ulps, uint64_t(1) << 23);
}

TEST(ValueDifferenceTest, aNanIsTheWorst) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto found = compareValues(floats({-5, 1}), floats({5, nan}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->worst[0].index, std::vector<int64_t>{1});
}

TEST(ValueDifferenceTest, otherTypesAndShapesAreAReason) {
  EXPECT_EQ(compareValues(floats({1}), Tensor(ElementType::I64, {1}))->reason,
            "float32[1] against int64[1]");
  EXPECT_EQ(compareValues(floats({1}), floats({1, 2}))->reason,
            "float32[1] against float32[2]");
}

static ProgramOp makeOp(const char *name, const char *operation) {
  ProgramOp op;
  op.name = name;
  op.operation = operation;
  op.results.push_back({ElementType::F32, {2}});
  return op;
}

TEST(ProgramOpsTest, theNthOpsOfADescriptionAreAPair) {
  const std::vector<ProgramOp> first = {makeOp("repro.add", "a"),
                                        makeOp("repro.add", "a"),
                                        makeOp("repro.mul", "a")},
                               second = {makeOp("repro.add", "a"),
                                         makeOp("repro.exp", "a"),
                                         makeOp("repro.add", "a"),
                                         makeOp("repro.add", "a")};
  std::vector<std::pair<int64_t, int64_t>> found;
  for (const OpPair &pair : pairOps(first, second))
    found.emplace_back(pair.first, pair.second);
  const std::vector<std::pair<int64_t, int64_t>> expected = {
      {0, 0}, {1, 2}, {2, -1}, {-1, 1}, {-1, 3}};
  EXPECT_EQ(found, expected);
}
