// Derivatives where several elements have a claim: ties of extrema, and updates
// of one element.

#include "../../Harness.h"

#include <gtest/gtest.h>

#include <utility>

namespace gensyn::train::test {

/// The result of @main as numbers of f64.
static std::vector<double> resultOf(const std::string &text,
                                    const std::vector<Tensor> &arguments) {
  auto module = compile(text);
  EXPECT_TRUE(module);
  if (!module)
    return {};
  std::vector<Tensor> results = run(*module, "main", arguments);
  EXPECT_EQ(results.size(), 1u);
  const double *values = std::as_const(results[0]).as<double>();
  return {values, values + results[0].numElements()};
}

// gradient_r2: windows of three, two apart, give all to the first of the equal
// ones; an element may be the first of two windows. The weights are 1, 10, 100.
TEST(Ties, WindowsGiveToTheFirst) {
  auto gradient = [](const std::string &kind, const std::vector<double> &x) {
    return resultOf(
        "func.func @main(%x: tensor<7xf64>, %g: tensor<3xf64>) -> "
        "tensor<7xf64> {\n  %y = repro.reduce " +
            kind + R"( %x domain <[3, 3], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0 * 2 + d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<7xf64> -> tensor<3xf64>
  %w = repro.mul %y, %g : tensor<3xf64>
  %l = repro.reduce sum %w domain <[3], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<3xf64> -> tensor<f64>
  %d = train.gradient %l wrt (%x) : (tensor<f64>, tensor<7xf64>) -> tensor<7xf64>
  return %d : tensor<7xf64>
})",
        {Tensor::of({7}, x), Tensor::of({3}, std::vector<double>{1, 10, 100})});
  };
  EXPECT_EQ(gradient("max", {5, 5, 5, 5, 5, 5, 5}),
            (std::vector<double>{1, 0, 10, 0, 100, 0, 0}));
  EXPECT_EQ(gradient("max", {0, 2, 2, 2, 1, 1, 0}),
            (std::vector<double>{0, 1, 10, 0, 100, 0, 0}));
  EXPECT_EQ(gradient("min", {3, 3, 0, 0, 0, -1, -1}),
            (std::vector<double>{0, 0, 11, 0, 0, 100, 0}));
}

// gradient_r2: a whole row's extremum is shared evenly.
TEST(Ties, RowsShare) {
  EXPECT_EQ(resultOf(R"(
func.func @main(%x: tensor<2x4xf64>) -> tensor<2x4xf64> {
  %y = repro.reduce max %x domain <[2, 4], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<2x4xf64> -> tensor<2xf64>
  %l = repro.reduce sum %y domain <[2], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<2xf64> -> tensor<f64>
  %d = train.gradient %l wrt (%x) : (tensor<f64>, tensor<2x4xf64>) -> tensor<2x4xf64>
  return %d : tensor<2x4xf64>
})",
                     {Tensor::of({2, 4},
                                 std::vector<double>{1, 7, 7, 0, 3, 3, 3, 3})}),
            (std::vector<double>{0, 0.5, 0.5, 0, 0.25, 0.25, 0.25, 0.25}));
}

/// The gradient of a scatter of kind set, by its base or its updates. Element
/// i of the result has the weight 10^i.
static std::vector<double> gradientOfSet(const std::string &by,
                                         const std::string &indices) {
  const std::string type = by == "%b" ? "tensor<4xf64>" : "tensor<3xf64>";
  return resultOf("func.func @main(%b: tensor<4xf64>, %u: tensor<3xf64>, %g: "
                  "tensor<4xf64>) -> " +
                      type + " {\n  %i = repro.constant dense<" + indices +
                      R"(> : tensor<3xi64>
  %y = repro.scatter set %b, %u[%i]
      maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
      bounds zero : tensor<4xf64>, tensor<3xf64>, tensor<3xi64>
  %w = repro.mul %y, %g : tensor<4xf64>
  %l = repro.reduce sum %w domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<4xf64> -> tensor<f64>
  %d = train.gradient %l wrt ()" +
                      by + ") : (tensor<f64>, " + type + ") -> " + type +
                      "\n  return %d : " + type + "\n}\n",
                  {Tensor::of({4}, std::vector<double>{1, 2, 3, 4}),
                   Tensor::of({3}, std::vector<double>{5, 6, 7}),
                   Tensor::of({4}, std::vector<double>{1, 10, 100, 1000})});
}

// scatter_r1: the last update of an element stays, and has the element's
// derivative. Update 0 stays too, where no other comes.
TEST(Ties, ScatterGivesToTheUpdateThatStays) {
  EXPECT_EQ(gradientOfSet("%u", "[1, 3, 3]"),
            (std::vector<double>{10, 0, 1000}));
  EXPECT_EQ(gradientOfSet("%b", "[1, 3, 3]"),
            (std::vector<double>{1, 0, 100, 0}));
  EXPECT_EQ(gradientOfSet("%u", "[2, 2, 0]"), (std::vector<double>{0, 100, 1}));
  // One that is out of range leaves the base alone.
  EXPECT_EQ(gradientOfSet("%u", "[0, 9, 9]"), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(gradientOfSet("%b", "[0, 9, 9]"),
            (std::vector<double>{0, 10, 100, 1000}));
}

} // namespace gensyn::train::test
