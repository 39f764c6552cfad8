// Compares losses and their gradients with PyTorch's in f64 (torch_losses.py;
// loss_r1 to loss_r11).

#include "../../Harness.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace gensyn;
using namespace gensyn::train::test;

namespace {
struct LossRow {
  std::string loss;
  std::vector<int64_t> shape;
  /// The kinds of predictions and targets.
  std::string prediction, target;
  double value;
  std::vector<double> gradient;
};
} // namespace

static const LossRow lossRows[] = {
#include "TorchLosses.inc"
};

/// The inputs of torch_losses.py, exact in f32.
template <class T>
static Tensor inputsOf(const std::vector<int64_t> &shape, int64_t count,
                       const std::string &kind) {
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(kind == "real"    ? T((i * 7) % 11 - 5) / 4 + T(0.125)
                     : kind == "other" ? T((i * 5 + 3) % 13 - 6) / 8
                                       : T(i * 5 % 17) / 16);
  return Tensor::of<T>(shape, values);
}

static std::string typeText(const std::vector<int64_t> &shape,
                            const std::string &element) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

/// The target's shape and its type; classes leave the axis of the scores out.
static std::vector<int64_t> targetShape(const LossRow &row) {
  std::vector<int64_t> shape = row.shape;
  if (row.target == "class")
    shape.erase(shape.begin() + (row.loss.find("axis = 1") != std::string::npos
                                     ? 1
                                     : int64_t(shape.size()) - 1));
  return shape;
}

template <class T>
static Tensor targetOf(const LossRow &row, const std::vector<int64_t> &shape) {
  auto count = int64_t(row.gradient.size());
  if (row.target != "class") {
    Tensor target = inputsOf<T>(shape, count, row.target);
    if (row.loss.starts_with("bce ")) { // rows in reverse
      std::vector<T> turned(static_cast<size_t>(count));
      int64_t width = shape.back();
      for (int64_t i = 0; i < count; ++i)
        turned[size_t(i)] =
            std::as_const(target)
                .as<T>()[(shape[0] - 1 - i / width) * width + i % width];
      return Tensor::of<T>(shape, turned);
    }
    return target;
  }
  int64_t rows = 1;
  for (int64_t size : shape)
    rows *= size;
  std::vector<int64_t> classes;
  for (int64_t i = 0; i < rows; ++i)
    classes.push_back((i * 2 + 1) % (count / rows));
  return Tensor::of<int64_t>(shape, classes);
}

/// Compares a row's loss and gradient, within `bound` of the larger of 1 and
/// the number.
template <class T> static void expectRow(const LossRow &row, double bound) {
  std::string element = sizeof(T) == 4 ? "f32" : "f64";
  std::vector<int64_t> shape = targetShape(row);
  std::string x = typeText(row.shape, element);
  std::string t =
      typeText(shape, row.target == "class" ? std::string("i64") : element);
  std::string scalar = "tensor<" + element + ">";
  std::string types = row.target == "class" ? x + ", " + t : x;
  auto module = compile(
      "func.func @main(%x: " + x + ", %t: " + t + ") -> (" + scalar + ", " + x +
      ") {\n  %l = train." + row.loss + " : " + types + " -> " + scalar +
      "\n  %g = train.gradient %l wrt (%x) : (" + scalar + ", " + x + ") -> " +
      x + "\n  return %l, %g : " + scalar + ", " + x + "\n}\n");
  if (!module)
    return;
  auto count = int64_t(row.gradient.size());
  std::vector<Tensor> results = run(
      *module, "main",
      {inputsOf<T>(row.shape, count, row.prediction), targetOf<T>(row, shape)});
  ASSERT_EQ(results.size(), 2u) << row.loss;
  auto near = [&](double found, double wanted) {
    return std::abs(found - wanted) <= bound * std::max(1.0, std::abs(wanted));
  };
  double found = std::as_const(results[0]).template as<T>()[0];
  EXPECT_TRUE(near(found, row.value))
      << row.loss << ": " << found << ", not " << row.value;
  for (int64_t i = 0; i < count; ++i) {
    double slope = std::as_const(results[1]).template as<T>()[i];
    EXPECT_TRUE(near(slope, row.gradient[size_t(i)]))
        << row.loss << ": gradient " << i << " is " << slope << ", not "
        << row.gradient[size_t(i)];
  }
}

// A few tens of roundings, of numbers of at most 100.
TEST(Losses, ArePyTorchs) {
  for (const LossRow &row : lossRows) {
    expectRow<double>(row, 0x1.0p-53 * 512);
    expectRow<float>(row, 0x1.0p-24 * 512);
  }
}
