// Axes of products.

#include "gensyn/Codegen/Contraction/GemmView.h"

#include <gtest/gtest.h>

namespace gensyn::codegen {
namespace {

TEST(GemmView, AxesThatWalkAsOneHaveASingleStride) {
  // [5, 4] of a [5, 8] tensor, and of a [5, 4] one.
  EXPECT_EQ(singleStride(GemmAxes{{5, 8}, {4, 1}}, GemmTensor::A),
            std::nullopt);
  EXPECT_EQ(singleStride(GemmAxes{{5, 4}, {4, 1}}, GemmTensor::A), 1);
  EXPECT_EQ(singleStride(GemmAxes{{5, 12}, {4, 3}}, GemmTensor::A), 3);
  EXPECT_EQ(singleStride(GemmAxes{}, GemmTensor::A), 0);
}

TEST(GemmView, TransposedOperandsSwapStrides) {
  const GemmView view = viewOfMatmul(3, 5, 7, true, true);
  EXPECT_EQ(view.numRows(), 3);
  EXPECT_EQ(view.numColumns(), 5);
  EXPECT_EQ(view.numPoints(), 7);
  EXPECT_EQ(view.rows[0].a, 1);
  EXPECT_EQ(view.points[0].a, 3);
  EXPECT_EQ(view.points[0].b, 1);
  EXPECT_EQ(view.run[0].b, 7);
}

} // namespace
} // namespace gensyn::codegen
