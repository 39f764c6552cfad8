// Contractions as products of tiles.

#include "ViewText.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::codegen {
namespace {

std::optional<ContractView> viewOf(const std::string &types,
                                   const std::string &form) {
  std::optional<ContractView> view;
  testing::withContract(
      types, form, [&](repro::ContractOp op) { view = viewContractTiles(op); });
  return view;
}

TEST(TileView, TheOperandAlongTheResultsLastDimensionIsB) {
  auto view = viewOf("tensor<8x4xf32>, tensor<6x4xf16> -> tensor<6x8xf32>",
                     "domain <[6, 8, 4], reduce [2]> maps ["
                     "affine_map<(d0, d1, d2) -> (d1, d2)>, "
                     "affine_map<(d0, d1, d2) -> (d0, d2)>, "
                     "affine_map<(d0, d1, d2) -> (d0, d1)>] "
                     "bounds [in, in] order sequential");
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->swapped);
  EXPECT_EQ(view->gemm.numRows(), 6);
  EXPECT_EQ(view->gemm.numColumns(), 8);
  EXPECT_EQ(view->gemm.columns[0].b, 4);
}

// contract_c2: what decides on skipped points is the same for a whole product.
TEST(TileView, SkippingIteratorsAreBatches) {
  auto view =
      viewOf("tensor<5x4xf32>, tensor<5x3x3xf32> -> tensor<3x8xf32>",
             "domain <[3, 5, 2, 5, 2], reduce [3, 4]> maps ["
             "affine_map<(d0, d1, d2, d3, d4) -> (d3, d1 - d4)>, "
             "affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, 2 * d4 + d2)>, "
             "affine_map<(d0, d1, d2, d3, d4) -> (d0, 2 * d1 + d2 - 1)>] "
             "bounds [zero, skip] order sequential");
  ASSERT_TRUE(view);
  const GemmView &gemm = view->gemm;
  EXPECT_EQ(gemm.numBatches(), 2);
  ASSERT_EQ(gemm.skips.size(), 1u);
  EXPECT_EQ(gemm.skips[0].extent, 3);
  EXPECT_EQ(gemm.batch[0].skips[0], 1);
  EXPECT_EQ(gemm.cChecks.size(), 1u);
  EXPECT_EQ(gemm.cOffset, -1);
}

// Without tuples, and with more values than anybody should write down.
TEST(TileView, LeavesResultsThatNothingReaches) {
  for (const char *domain : {"[0, 2, 8]", "[3, 0, 8]"})
    EXPECT_FALSE(viewOf("tensor<3x8xf32>, tensor<8x2xf32> -> tensor<3x2xf32>",
                        std::string("domain <") + domain +
                            ", reduce [2]> maps ["
                            "affine_map<(d0, d1, d2) -> (d0, d2)>, "
                            "affine_map<(d0, d1, d2) -> (d2, d1)>, "
                            "affine_map<(d0, d1, d2) -> (d0, d1)>] "
                            "bounds [in, in] order sequential"));
  EXPECT_TRUE(viewOf("tensor<2147483647x1xf32>, tensor<1xf32> -> "
                     "tensor<2147483647xf32>",
                     "domain <[2147483647, 1], reduce [1]> maps ["
                     "affine_map<(d0, d1) -> (d0, d1)>, "
                     "affine_map<(d0, d1) -> (d1)>, "
                     "affine_map<(d0, d1) -> (d0)>] "
                     "bounds [in, in] order sequential"));
}

TEST(TileView, LeavesResultsWithGaps) {
  EXPECT_FALSE(viewOf("tensor<4xf32>, tensor<4x3xf32> -> tensor<7xf32>",
                      "domain <[3, 4], reduce [1]> maps ["
                      "affine_map<(d0, d1) -> (d1)>, "
                      "affine_map<(d0, d1) -> (d1, d0)>, "
                      "affine_map<(d0, d1) -> (2 * d0 + 1)>] "
                      "bounds [in, in] order sequential"));
}

} // namespace
} // namespace gensyn::codegen
