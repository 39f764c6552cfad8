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

std::optional<int64_t> tapsOf(const GemmView &view) {
  const auto taps = tapsOfRows(view);
  return taps ? std::optional(taps->number) : std::nullopt;
}

TEST(GemmView, RowsHaveTapsBehindContiguousPoints) {
  // 3x3 windows of images [9, 11, 8], channels last.
  GemmView view;
  view.points = {{8, 1}, {3, 88}, {3, 8}};
  EXPECT_EQ(tapsOf(view), 9);
  // Checks belong to the taps.
  view.aChecks = {{-1, 9}};
  view.points[1].aChecks = {1};
  EXPECT_EQ(tapsOf(view), 9);
  view.points[0].aChecks = {1};
  EXPECT_EQ(tapsOf(view), std::nullopt);
  // A tap that continues the channels is one of these.
  view.points = {{8, 3}, {3, 1}};
  EXPECT_EQ(tapsOf(view), 1);
  // Channels first.
  view.points = {{8, 99}, {3, 11}, {3, 1}};
  EXPECT_EQ(tapsOf(view), std::nullopt);
  // Too many pointers.
  view.points = {{8, 1}, {9, 88}, {9, 8}};
  EXPECT_EQ(tapsOf(view), std::nullopt);
}

TEST(GemmView, TapsInBoundsMayBeBehindAnyStride) {
  // Without checks there are offsets instead.
  GemmView view;
  view.points = {{8, 1}, {9, 88}, {9, 8}};
  EXPECT_EQ(tapsOf(view), 81);
  // Channels first, 3x3 windows of images [8, 9, 11] at 7x9 positions.
  view.rows = {{7, 11}, {9, 1}};
  view.points = {{8, 99}, {3, 11}, {3, 1}};
  ASSERT_EQ(tapsOf(view), 9);
  EXPECT_EQ(tapsOfRows(view)->stride, 99);
  // A phase of a stride without points.
  view.points[2].extent = 0;
  EXPECT_EQ(tapsOf(view), std::nullopt);
  view.points[2].extent = 3;
  view.points[0].extent = 0;
  EXPECT_EQ(tapsOf(view), std::nullopt);
  view.points[0].extent = 8;
  // Windows that do not overlap are no smaller than copies of them.
  view.rows = {{2, 33}, {3, 3}};
  EXPECT_EQ(tapsOf(view), std::nullopt);
}

} // namespace
} // namespace gensyn::codegen
