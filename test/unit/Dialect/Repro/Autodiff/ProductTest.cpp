// The derivative of a product where factors are zero, as PyTorch has it.

#include "../../Harness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace gensyn::train::test {

/// The gradient of the sum of the rows' products.
static std::vector<double> gradientOfRows(const std::vector<double> &x) {
  auto module = compile(R"(
func.func @main(%x: tensor<2x4xf64>) -> tensor<2x4xf64> {
  %p = repro.reduce product %x domain <[2, 4], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<2x4xf64> -> tensor<2xf64>
  %l = repro.reduce sum %p domain <[2], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<2xf64> -> tensor<f64>
  %g = train.gradient %l wrt (%x) : (tensor<f64>, tensor<2x4xf64>) -> tensor<2x4xf64>
  return %g : tensor<2x4xf64>
})");
  EXPECT_TRUE(module);
  if (!module)
    return {};
  std::vector<Tensor> results = run(*module, "main", {Tensor::of({2, 4}, x)});
  EXPECT_EQ(results.size(), 1u);
  const double *values = std::as_const(results[0]).as<double>();
  return {values, values + 8};
}

TEST(ProductDerivative, AtZeros) {
  // One zero: it alone has a gradient. Two: none has.
  EXPECT_EQ(gradientOfRows({2, 0, 3, 5, 0, 7, 0, 4}),
            (std::vector<double>{0, 30, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(gradientOfRows({0, -1, 3, 2, 4, 0.5, 2, 0}),
            (std::vector<double>{-6, 0, 0, 0, 0, 0, 0, 4}));
}

TEST(ProductDerivative, WithoutDivision) {
  // The product itself is over or under the range, those of the others are not.
  EXPECT_EQ(gradientOfRows({0x1p600, 1, 1, 0x1p600, 0x1p-600, 1, 1, 0x1p-600}),
            (std::vector<double>{0x1p600, INFINITY, INFINITY, 0x1p600, //
                                 0x1p-600, 0, 0, 0x1p-600}));
}

} // namespace gensyn::train::test
