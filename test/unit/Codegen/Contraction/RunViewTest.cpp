// Contractions as products with runs of columns.

#include "ViewText.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::codegen {
namespace {

constexpr int64_t kLanes = 16;

std::vector<ContractView> viewsOf(const std::string &types,
                                  const std::string &form, bool joins = false) {
  std::vector<ContractView> views;
  testing::withContract(types, form, [&](repro::ContractOp op) {
    views = viewContract(op, kLanes, joins);
  });
  return views;
}

/// A data gradient of stride 2 in one dimension: 5 filters of `taps` on
/// positions 0 to 32, results at 0 to 65 under a pad of 1.
std::vector<ContractView> dataGradient(int64_t taps, const char *order) {
  auto text = [](int64_t number) { return std::to_string(number); };
  return viewsOf("tensor<5x33xf32>, tensor<5x64x" + text(taps) +
                     "xf32> -> tensor<64x66xf32>",
                 "domain <[64, 34, 2, 5, " + text((taps + 1) / 2) +
                     "], reduce [3, 4]> maps ["
                     "affine_map<(d0, d1, d2, d3, d4) -> (d3, d1 - d4)>, "
                     "affine_map<(d0, d1, d2, d3, d4) -> "
                     "(d3, d0, 2 * d4 + d2)>, "
                     "affine_map<(d0, d1, d2, d3, d4) -> "
                     "(d0, 2 * d1 + d2 - 1)>] "
                     "bounds [zero, skip] order " +
                     order);
}

// Phase 0 has taps 0 and 2, phase 1 only tap 1. Their results are every second
// one, from 1 and from 0.
TEST(RunView, EachPhaseOfAStrideIsAProductWithoutHoles) {
  auto views = dataGradient(3, "sequential");
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].gemm.numPoints(), 10);
  EXPECT_EQ(views[1].gemm.numPoints(), 5);
  EXPECT_EQ(views[0].gemm.cOffset, 1);
  EXPECT_EQ(views[1].gemm.cOffset, 0);
  for (const ContractView &view : views) {
    EXPECT_EQ(view.gemm.numRows(), 64);
    EXPECT_EQ(view.gemm.runLength(), 33);
    EXPECT_EQ(singleStride(view.gemm.run, GemmTensor::C), 2);
    EXPECT_TRUE(view.gemm.skips.empty());
    EXPECT_TRUE(view.gemm.cChecks.empty());
  }
}

TEST(RunView, APhaseWithoutTapsHasNoPoints) {
  auto views = dataGradient(1, "sequential");
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].gemm.numPoints(), 5);
  EXPECT_EQ(views[1].gemm.numPoints(), 0);
}

// Phases with the same taps are one product; only results out of bounds
// separate them.
TEST(RunView, PhasesWithEqualRangesShareAProduct) {
  auto views = viewsOf("tensor<5x9xf32>, tensor<5x64x3xf32> -> "
                       "tensor<64x27xf32>",
                       "domain <[64, 9, 3, 5], reduce [3]> maps ["
                       "affine_map<(d0, d1, d2, d3) -> (d3, d1)>, "
                       "affine_map<(d0, d1, d2, d3) -> (d3, d0, d2)>, "
                       "affine_map<(d0, d1, d2, d3) -> (d0, 3 * d1 + d2)>] "
                       "bounds [in, in] order sequential");
  EXPECT_EQ(views.size(), 1u);
}

// Blocks of 4 of the 10 points of all phases: phase 1 has points 0, 2, 4, ...
TEST(RunView, BlocksAreCountedAmongAllPoints) {
  auto views = dataGradient(3, "blocked<4, sequential, sequential>");
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].gemm.blockSize, 4);
  EXPECT_TRUE(views[0].gemm.blockStarts.empty());
  EXPECT_EQ(views[1].gemm.blockSize, 2);
  EXPECT_TRUE(views[1].gemm.blockStarts.empty());
  views = dataGradient(3, "blocked<3, sequential, sequential>");
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[1].gemm.blockStarts, (llvm::SmallVector<int64_t>{0, 2, 3}));
  EXPECT_EQ(views[1].gemm.longestBlock(), 2);
}

// Blocks of 3 of 12 points, of which the first result skips 0, 4 and 8: blocks
// of 2, 2, 2 and 3 points remain.
TEST(RunView, TheLastBlockMayBeTheLongest) {
  auto views =
      viewsOf("tensor<3x65xf32>, tensor<2x3x4xf32> -> tensor<2x20xf32>",
              "domain <[2, 20, 3, 4], reduce [2, 3]> maps ["
              "affine_map<(d0, d1, d2, d3) -> (d2, 3 * d1 + 3 * d3 - 2)>, "
              "affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, "
              "affine_map<(d0, d1, d2, d3) -> (d0, d1)>] "
              "bounds [skip, in] order blocked<3, sequential, sequential>");
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].gemm.numPoints(), 9);
  EXPECT_EQ(views[0].gemm.blockStarts,
            (llvm::SmallVector<int64_t>{0, 2, 4, 6}));
  EXPECT_EQ(views[0].gemm.longestBlock(), 3);
  EXPECT_TRUE(views[1].gemm.blockStarts.empty());
}

/// A transposed 2x2 convolution of stride 2 of square images.
std::vector<ContractView> transposedConvolution(int64_t channels,
                                                int64_t filters, int64_t size) {
  auto text = [](int64_t number) { return std::to_string(number); };
  const std::string image = text(size) + "x" + text(size) + "xf32>",
                    twice = text(2 * size) + "x" + text(2 * size) + "xf32>";
  return viewsOf("tensor<" + text(channels) + "x" + image + ", tensor<" +
                     text(channels) + "x" + text(filters) +
                     "x2x2xf32> -> tensor<" + text(filters) + "x" + twice,
                 "domain <[" + text(filters) + ", " + text(size) + ", 2, " +
                     text(size) + ", 2, " + text(channels) +
                     "], reduce [5]> maps ["
                     "affine_map<(d0, d1, d2, d3, d4, d5) -> (d5, d1, d3)>, "
                     "affine_map<(d0, d1, d2, d3, d4, d5) -> "
                     "(d5, d0, d2, d4)>, "
                     "affine_map<(d0, d1, d2, d3, d4, d5) -> "
                     "(d0, 2 * d1 + d2, 2 * d3 + d4)>] "
                     "bounds [in, in] order sequential");
}

// The weights of all pixels' phases are columns, the pixels of a short image
// rows.
TEST(RunView, RowsMayHaveSeveralStridesInTheResult) {
  auto views = transposedConvolution(512, 256, 8);
  ASSERT_EQ(views.size(), 1u);
  EXPECT_EQ(views[0].gemm.numRows(), 64);
  EXPECT_EQ(views[0].gemm.numColumns(), 1024);
  EXPECT_EQ(views[0].gemm.numBatches(), 1);
  EXPECT_EQ(lineOfRows(views[0].gemm).rows, 8);
  EXPECT_EQ(lineOfRows(views[0].gemm).stride, 2);
}

// Lanes of 16 x 16 pixels are 4 KiB apart, in one set of a cache.
TEST(RunView, LanesAreNotScatteredOverOneSet) {
  auto views = transposedConvolution(256, 128, 16);
  ASSERT_EQ(views.size(), 1u);
  EXPECT_EQ(views[0].gemm.runLength(), 16);
}

/// A 1x1 convolution of images of one row.
ContractView convolution(int64_t images, int64_t width, int64_t stride,
                         bool joins) {
  auto text = [](int64_t number) { return std::to_string(number); };
  auto views =
      viewsOf("tensor<" + text(images) + "x40x" + text(width * stride) +
                  "xf32>, tensor<64x40xf32> -> tensor<" + text(images) +
                  "x64x" + text(width) + "xf32>",
              "domain <[" + text(images) + ", 64, " + text(width) +
                  ", 40], reduce [3]> maps ["
                  "affine_map<(d0, d1, d2, d3) -> (d0, d3, " +
                  text(stride) +
                  " * d2)>, affine_map<(d0, d1, d2, d3) -> (d1, d3)>, "
                  "affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] "
                  "bounds [in, in] order sequential",
              joins);
  EXPECT_EQ(views.size(), 1u);
  return views.front();
}

// 75 columns are 5 vectors instead of 6. Runs of whole vectors stay apart, as
// do those that a vector would have lanes of three of.
TEST(RunView, RunsAreJoinedWhereThatTakesFewerVectors) {
  for (int64_t stride : {1, 2}) {
    const GemmView joined = convolution(3, 25, stride, true).gemm;
    EXPECT_TRUE(isJoined(joined));
    EXPECT_EQ(joined.runLength(), 75);
    EXPECT_EQ(pieceInC(joined).length, 25);
    EXPECT_EQ(pieceInB(joined).length, 25);
    EXPECT_EQ(pieceInB(joined).stride, stride);
    EXPECT_EQ(piecesPerVector(joined, kLanes), 2);
    EXPECT_FALSE(isJoined(convolution(3, 25, stride, false).gemm));
    EXPECT_FALSE(isJoined(convolution(3, 32, stride, true).gemm));
    EXPECT_FALSE(isJoined(convolution(3, 15, stride, true).gemm));
  }
}

// Every second of the 18 results is not reached.
TEST(RunView, LeavesResultsThatNothingReaches) {
  EXPECT_TRUE(viewsOf("tensor<5x9xf32>, tensor<5x64xf32> -> tensor<64x18xf32>",
                      "domain <[64, 9, 5], reduce [2]> maps ["
                      "affine_map<(d0, d1, d2) -> (d2, d1)>, "
                      "affine_map<(d0, d1, d2) -> (d2, d0)>, "
                      "affine_map<(d0, d1, d2) -> (d0, 2 * d1)>] "
                      "bounds [in, in] order sequential")
                  .empty());
}

} // namespace
} // namespace gensyn::codegen
