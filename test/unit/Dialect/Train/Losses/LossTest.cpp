// Losses: values against plain loops, gradients against central differences.

#include "../../Harness.h"
#include "gtest/gtest.h"

#include <cmath>
#include <functional>

using namespace gensyn;
using namespace gensyn::train::test;

/// The function that takes `loss` of x and t, in f64.
static std::string lossText(const std::string &loss, const std::string &types,
                            const std::string &logits,
                            const std::string &target) {
  return "func.func @main(%x: " + logits + ", %t: " + target +
         ") -> tensor<f64> {\n  %l = train." + loss + " : " + types +
         " -> tensor<f64>\n  return %l : tensor<f64>\n}\n";
}

static std::string crossEntropy(const std::string &options) {
  return lossText("softmax_cross_entropy %x, %t reduction " + options,
                  "tensor<4x3xf64>, tensor<4xi64>", "tensor<4x3xf64>",
                  "tensor<4xi64>");
}

static std::string elementLoss(const std::string &name,
                               const std::string &options) {
  return lossText(name + " %x, %t reduction " + options, "tensor<2x3xf64>",
                  "tensor<2x3xf64>", "tensor<2x3xf64>");
}

static double evaluate(const std::string &text, const Tensor &x,
                       const Tensor &t) {
  auto module = compile(text);
  if (!module)
    return NAN;
  std::vector<Tensor> results = run(*module, "main", {x, t});
  return results.empty() ? NAN : std::as_const(results[0]).as<double>()[0];
}

/// The row's loss as the definition has it: -log softmax, smoothed.
static double rowLoss(const double *x, int64_t classes, int64_t target,
                      double smoothing) {
  double sum = 0, all = 0;
  for (int64_t c = 0; c < classes; ++c)
    sum += std::exp(x[c]);
  for (int64_t c = 0; c < classes; ++c)
    all += std::log(sum) - x[c];
  return (1 - smoothing) * (std::log(sum) - x[target]) +
         smoothing / double(classes) * all;
}

TEST(SoftmaxCrossEntropy, IsTheDefinition) {
  Tensor x = Tensor::of({4, 3}, spread(12, -3, 3, 0));
  Tensor t = Tensor::of<int64_t>({4}, {2, 0, 1, 0});
  for (double smoothing : {0.0, 0.25}) {
    double sum = 0;
    for (int64_t row = 0; row < 4; ++row)
      sum += rowLoss(std::as_const(x).as<double>() + 3 * row, 3,
                     std::as_const(t).as<int64_t>()[row], smoothing);
    std::string options =
        " {label_smoothing = " + std::to_string(smoothing) + " : f64}";
    EXPECT_NEAR(evaluate(crossEntropy("sum" + options), x, t), sum, 1e-12);
    EXPECT_NEAR(evaluate(crossEntropy("mean" + options), x, t), sum / 4, 1e-12);
  }
}

TEST(SoftmaxCrossEntropy, LeavesIgnoredRowsOut) {
  Tensor x = Tensor::of({4, 3}, spread(12, -3, 3, 0));
  Tensor t = Tensor::of<int64_t>({4}, {2, -100, 1, -100});
  const double *values = std::as_const(x).as<double>();
  double sum = rowLoss(values, 3, 2, 0) + rowLoss(values + 6, 3, 1, 0);
  std::string options = " {ignore_index = -100 : i64}";
  EXPECT_NEAR(evaluate(crossEntropy("sum" + options), x, t), sum, 1e-12);
  EXPECT_NEAR(evaluate(crossEntropy("mean" + options), x, t), sum / 2, 1e-12);
}

// 0 / 0, as PyTorch has it.
TEST(SoftmaxCrossEntropy, TheMeanOfNoRowIsNaN) {
  Tensor x = Tensor::of({4, 3}, spread(12, -3, 3, 0));
  Tensor t = Tensor::of<int64_t>({4}, {1, 1, 1, 1});
  EXPECT_TRUE(std::isnan(
      evaluate(crossEntropy("mean {ignore_index = 1 : i64}"), x, t)));
}

TEST(SoftmaxCrossEntropy, AClassOutOfRangeIsNaN) {
  Tensor x = Tensor::of({4, 3}, spread(12, -3, 3, 0));
  for (int64_t wrong : {-1, 3}) {
    Tensor t = Tensor::of<int64_t>({4}, {2, wrong, 1, 0});
    EXPECT_TRUE(std::isnan(evaluate(crossEntropy("mean"), x, t)));
  }
}

// The shift by the largest logit keeps exp finite.
TEST(SoftmaxCrossEntropy, LargeLogitsDoNotOverflow) {
  Tensor x = Tensor::of<double>({4, 3}, {9e3, 0, 0, 0, 9e3, 0, //
                                         0, 0, 9e3, 9e3, 0, 0});
  Tensor t = Tensor::of<int64_t>({4}, {0, 1, 2, 1});
  EXPECT_EQ(evaluate(crossEntropy("sum"), x, t), 9e3);
}

TEST(SoftmaxCrossEntropy, Gradient) {
  std::vector<Range> ranges = {{}, {0, 3}};
  for (std::string reduction : {"mean", "sum"}) {
    expectGradient(crossEntropy(reduction), ranges);
    expectGradient(crossEntropy(reduction + " {ignore_index = 1 : i64}"),
                   ranges);
    expectGradient(crossEntropy(reduction + " {label_smoothing = 0.2 : f64}"),
                   ranges);
  }
  // Classes in the middle, rows of two dimensions.
  expectGradient(lossText("softmax_cross_entropy %x, %t reduction mean "
                          "{axis = 1 : i64, ignore_index = 2 : i64}",
                          "tensor<2x3x4xf64>, tensor<2x4xi64>",
                          "tensor<2x3x4xf64>", "tensor<2x4xi64>"),
                 ranges);
  // One row only: no dimension is left to reduce.
  expectGradient(lossText("softmax_cross_entropy %x, %t reduction mean",
                          "tensor<3xf64>, tensor<i64>", "tensor<3xf64>",
                          "tensor<i64>"),
                 ranges);
}

/// Checks the values of both reductions against `element`, and the gradients.
static void expectElementLoss(const std::string &name,
                              const std::string &options, Range targets,
                              std::function<double(double, double)> element) {
  std::vector<double> x = spread(6, -2, 2, 0);
  std::vector<double> t = spread(6, targets.low, targets.high, 1);
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i)
    sum += element(x[i], t[i]);
  Tensor prediction = Tensor::of({2, 3}, x), target = Tensor::of({2, 3}, t);
  for (std::string reduction : {"mean", "sum"}) {
    std::string text = elementLoss(name, reduction + options);
    EXPECT_NEAR(evaluate(text, prediction, target),
                reduction == "sum" ? sum : sum / 6, 1e-12);
    expectGradient(text, {{}, targets});
  }
}

TEST(ElementLosses, AreTheirDefinitions) {
  auto mse = [](double x, double t) { return (x - t) * (x - t); };
  expectElementLoss("mse", "", {}, mse);
  auto l1 = [](double x, double t) { return std::abs(x - t); };
  expectElementLoss("l1", "", {}, l1);
  auto huber = [](double x, double t) {
    double d = std::abs(x - t);
    return d < 0.75 ? d * d / 2 : 0.75 * (d - 0.375);
  };
  expectElementLoss("huber", " {delta = 0.75 : f64}", {}, huber);
  auto bce = [](double z, double t) {
    return std::max(z, 0.0) - z * t + std::log1p(std::exp(-std::abs(z)));
  };
  expectElementLoss("bce_with_logits", "", {0, 1}, bce);
}

/// The gradient of the f32 loss `name` with respect to one prediction.
static float gradientAt(const std::string &name, float x, float t) {
  auto module = compile(
      "func.func @main(%x: tensor<f32>, %t: tensor<f32>) -> tensor<f32> {\n"
      "  %l = train." +
      name +
      " %x, %t reduction sum : tensor<f32> -> tensor<f32>\n"
      "  %g = train.gradient %l wrt (%x) : (tensor<f32>, tensor<f32>) -> "
      "tensor<f32>\n  return %g : tensor<f32>\n}\n");
  if (!module)
    return NAN;
  std::vector<Tensor> results =
      run(*module, "main", {Tensor::scalar(x), Tensor::scalar(t)});
  return results.empty() ? NAN : std::as_const(results[0]).as<float>()[0];
}

// PyTorch's choices where the derivative jumps, and where a side is infinite.
TEST(ElementLosses, Kinks) {
  EXPECT_EQ(gradientAt("l1", 1.0f, 1.0f), 0.0f);
  EXPECT_EQ(gradientAt("huber", 1.0f, 1.0f), 0.0f);
  EXPECT_EQ(gradientAt("huber", 3.0f, 2.0f), 1.0f);
  EXPECT_EQ(gradientAt("huber", INFINITY, 0.0f), 1.0f);
  EXPECT_EQ(gradientAt("bce_with_logits", 0.0f, 0.25f), 0.25f);
  EXPECT_EQ(gradientAt("bce_with_logits", 200.0f, 0.25f), 0.75f);
  EXPECT_EQ(gradientAt("bce_with_logits", -200.0f, 0.25f), -0.25f);
}
