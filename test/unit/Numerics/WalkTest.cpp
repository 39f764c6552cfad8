// Strided walks against nested loops.

#include "gensyn/Numerics/Walk.h"
#include "gensyn/Numerics/Tensor.h"

#include <gtest/gtest.h>

using namespace gensyn;

namespace {
using Shape = std::vector<int64_t>;
} // namespace

TEST(Walk, OffsetsOfTwoOperands) {
  // A transpose of [3, 4] that is read backwards along its last dimension.
  const Shape shape{2, 4, 3};
  std::vector<std::array<int64_t, 2>> seen, want;
  forEachOffset<2>(
      shape, {rowMajorStrides(shape), Shape{0, 1, -4}}, {5, 8},
      [&](const std::array<int64_t, 2> &at) { seen.push_back(at); });
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 4; ++j)
      for (int64_t k = 0; k < 3; ++k)
        want.push_back({5 + 12 * i + 3 * j + k, 8 + j - 4 * k});
  EXPECT_EQ(seen, want);
}

TEST(Walk, RowsCoverTheShape) {
  int64_t rows = 0, points = 0;
  forEachRow<1>(Shape{5, 1, 7}, {Shape{7, 7, 1}}, {0},
                [&](const std::array<int64_t, 1> &at, int64_t n,
                    const std::array<int64_t, 1> &steps) {
                  EXPECT_EQ(at[0], rows * 7);
                  EXPECT_EQ(steps[0], 1);
                  ++rows, points += n;
                });
  EXPECT_EQ(rows, 5);
  EXPECT_EQ(points, 35);
}

TEST(Walk, RankZeroIsOnePointAndEmptyShapesHaveNone) {
  int points = 0;
  auto count = [&](const std::array<int64_t, 1> &) { ++points; };
  forEachOffset<1>(Shape{}, {Shape{}}, {0}, count);
  EXPECT_EQ(points, 1);
  forEachOffset<1>(Shape{3, 0, 2}, {Shape{0, 2, 1}}, {0}, count);
  EXPECT_EQ(points, 1);
}

TEST(Walk, IndicesAreRowMajor) {
  std::vector<Shape> seen;
  forEachIndex(Shape{2, 2}, [&](const Shape &index) { seen.push_back(index); });
  EXPECT_EQ(seen, (std::vector<Shape>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  seen.clear();
  forEachIndex(Shape{}, [&](const Shape &index) { seen.push_back(index); });
  EXPECT_EQ(seen, std::vector<Shape>{{}});
  forEachIndex(Shape{0}, [&](const Shape &) { FAIL(); });
}
