// The interpreter against independent loops, bit for bit.

#include "gensyn/Reference/Interpreter.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

using namespace mlir;
using namespace gensyn;

namespace {
class Interpreter : public ::testing::Test {
protected:
  Interpreter() {
    context.loadDialect<func::FuncDialect, repro::ReproDialect>();
  }

  /// Runs the only function of `text`; nothing if it fails.
  std::optional<SmallVector<Tensor>> run(StringRef text,
                                         ArrayRef<Tensor> arguments) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      errors.push_back(diagnostic.str());
      return success();
    });
    auto results = reference::interpret(*module->getOps<func::FuncOp>().begin(),
                                        arguments);
    if (failed(results))
      return std::nullopt;
    return *results;
  }

  Tensor random(std::vector<int64_t> shape) {
    Tensor tensor(ElementType::F32, shape);
    std::normal_distribution<float> normal;
    for (float &value : tensor.span<float>())
      value = normal(generator);
    return tensor;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<std::string> errors;
  std::mt19937 generator{1};
};

TEST_F(Interpreter, ConvolutionWithPaddingIsAChainInPointOrder) {
  const Tensor x = random({2, 3, 5, 6}), w = random({4, 3, 3, 3});
  auto results = run(R"(
func.func @main(%x: tensor<2x3x5x6xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x3x3xf32> {
  %y = repro.contract %x, %w domain <[2, 4, 3, 3, 3, 3, 3], reduce [4, 5, 6]>
      maps [affine_map<(n, f, a, b, c, k, l) -> (n, c, 2 * a + k - 1, 2 * b + l - 1)>,
            affine_map<(n, f, a, b, c, k, l) -> (f, c, k, l)>,
            affine_map<(n, f, a, b, c, k, l) -> (n, f, a, b)>]
      bounds [zero, in] order sequential
      : tensor<2x3x5x6xf32>, tensor<4x3x3x3xf32> -> tensor<2x4x3x3xf32>
  return %y : tensor<2x4x3x3xf32>
})",
                     {x, w});
  ASSERT_TRUE(results);
  const Tensor &y = results->front();
  auto at = [&](int n, int c, int i, int j) {
    bool inside = i >= 0 && i < 5 && j >= 0 && j < 6;
    return inside ? x.as<float>()[((n * 3 + c) * 5 + i) * 6 + j] : 0.0f;
  };
  for (int n = 0; n < 2; ++n)
    for (int f = 0; f < 4; ++f)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          float sum = 0;
          for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
              for (int l = 0; l < 3; ++l)
                sum =
                    std::fma(at(n, c, 2 * a + k - 1, 2 * b + l - 1),
                             w.as<float>()[((f * 3 + c) * 3 + k) * 3 + l], sum);
          EXPECT_EQ(sum + 0.0f, y.as<float>()[((n * 4 + f) * 3 + a) * 3 + b]);
        }
}

TEST_F(Interpreter, KernelsRunLikeTheirOps) {
  const Tensor x = random({4});
  auto results = run(R"(
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = repro.kernel "k" (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %e = repro.exp %a : tensor<4xf32>
    %s = repro.add %e, %a : tensor<4xf32>
    repro.yield %s : tensor<4xf32>
  }
  %e = repro.exp %x : tensor<4xf32>
  %s = repro.add %e, %x : tensor<4xf32>
  return %y, %s : tensor<4xf32>, tensor<4xf32>
})",
                     {x});
  ASSERT_TRUE(results);
  EXPECT_TRUE((*results)[0].bitEqual((*results)[1]));
}

TEST_F(Interpreter, ArgReduceTakesTheFirstAndPrefersNan) {
  const float nan = std::nanf("");
  const Tensor x =
      Tensor::of<float>({3, 3}, {1, 3, 3, -0.0f, 0.0f, -1, 5, nan, nan});
  auto results = run(R"(
func.func @main(%x: tensor<3x3xf32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %f = repro.arg_reduce max %x domain <[3, 3], reduce [1]>
      maps [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>] : tensor<3x3xf32> -> tensor<3xi32>
  %l = repro.arg_reduce min last %x domain <[3, 3], reduce [1]>
      maps [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>] : tensor<3x3xf32> -> tensor<3xi32>
  return %f, %l : tensor<3xi32>, tensor<3xi32>
})",
                     {x});
  ASSERT_TRUE(results);
  EXPECT_TRUE((*results)[0].bitEqual(Tensor::of<int32_t>({3}, {1, 1, 1})));
  EXPECT_TRUE((*results)[1].bitEqual(Tensor::of<int32_t>({3}, {0, 2, 2})));
}

TEST_F(Interpreter, RefusesOtherShapes) {
  EXPECT_FALSE(run("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {"
                   "  return %x : tensor<4xf32>\n}",
                   {random({5})}));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0],
            "argument 0 is 'tensor<5xf32>', expected 'tensor<4xf32>'");
}

TEST_F(Interpreter, RefusesASumWithoutOrder) {
  EXPECT_FALSE(run(R"(
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %s = repro.reduce sum %x domain <[4], reduce [0]>
      maps [affine_map<(i) -> (i)>, affine_map<(i) -> ()>] : tensor<4xf32> -> tensor<f32>
  return %s : tensor<f32>
})",
                   {random({4})}));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_NE(errors[0].find("has no order"), std::string::npos);
}
} // namespace
