// Compares twenty steps of each optimizer with PyTorch's in f64
// (torch_steps.py).

#include "Trainer.h"
#include "gtest/gtest.h"

#include <array>
#include <cmath>

using namespace gensyn;
using namespace gensyn::train::test;

namespace {
struct Row {
  std::string rule;
  double rate;
  std::vector<int64_t> shape;
  std::vector<double> after;
  std::vector<double> average = {}; ///< ASGD's `ax`
};
} // namespace

static const Row rows[] = {
#include "TorchSteps.inc"
};

static constexpr int kSteps = 20;

/// The start and the gradients of torch_steps.py, exact in f32.
template <class T> static std::vector<T> startOf(int64_t count) {
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(T((i * 7) % 11 - 5) / 4 + T(0.125));
  return values;
}
template <class T> static std::vector<T> gradientOf(int64_t count, int64_t t) {
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(T((i * 5 + t * 3 + (i * t) % 4) % 13 - 6) / 8);
  return values;
}

/// The largest error over the largest element.
template <class T>
static double errorOf(const Tensor &found,
                      const std::vector<double> &expected) {
  double error = 0, scale = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double element = found.as<T>()[i];
    if (std::isnan(element))
      return INFINITY;
    error = std::max(error, std::abs(element - expected[i]));
    scale = std::max(scale, std::abs(expected[i]));
  }
  return error / scale;
}

/// The error of the parameter after all steps, and that of its average.
template <class T> static std::array<double, 2> errorsOf(const Row &row) {
  auto element = sizeof(T) == 4
                     ? mlir::Type(mlir::Float32Type::get(&context()))
                     : mlir::Type(mlir::Float64Type::get(&context()));
  Trainer trainer(row.rate, row.rule,
                  mlir::RankedTensorType::get(row.shape, element));
  int64_t count = int64_t(row.after.size());
  Tensor parameter = Tensor::of(row.shape, startOf<T>(count));
  for (int t = 1; t <= kSteps; ++t)
    parameter =
        trainer.step(parameter, Tensor::of(row.shape, gradientOf<T>(count, t)));
  const double ofAverage =
      row.average.empty() ? 0 : errorOf<T>(trainer.state(1), row.average);
  return {errorOf<T>(parameter, row.after), ofAverage};
}

// A step rounds the parameter twice at most, and the change, which is at most a
// fifth of the largest element, thirty times at most: 2 + 30 / 5 units of the
// type's precision a step. No number of Muon in bf16 falls on the other side of
// a boundary here.
// An average adds its own five roundings to those, of twice the element at
// most.
TEST(TorchSteps, EachOptimizerIsPyTorchs) {
  constexpr double units = kSteps * (2 + 30 / 5);
  constexpr double unitsOfAverage = units + kSteps * 5 * 2;
  int averages = 0;
  for (const Row &row : rows) {
    SCOPED_TRACE(row.rule);
    const auto [f64, averageF64] = errorsOf<double>(row);
    const auto [f32, averageF32] = errorsOf<float>(row);
    EXPECT_LE(f64, units * 0x1p-53);
    EXPECT_LE(f32, units * 0x1p-24);
    EXPECT_LE(averageF64, unitsOfAverage * 0x1p-53);
    EXPECT_LE(averageF32, unitsOfAverage * 0x1p-24);
    averages += !row.average.empty();
  }
  EXPECT_EQ(averages, 2);
}
