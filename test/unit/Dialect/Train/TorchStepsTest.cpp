// Twenty steps of each optimizer beside PyTorch's in f64 (torch_steps.py).

#include "Trainer.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace gensyn;
using namespace gensyn::train::test;

namespace {
struct Row {
  std::string rule;
  double rate;
  std::vector<int64_t> shape;
  std::vector<double> after;
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

/// The largest error of the parameter after all steps, over its largest
/// element.
template <class T> static double errorOf(const Row &row) {
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
  double error = 0, scale = 0;
  for (int64_t i = 0; i < count; ++i) {
    double found = std::as_const(parameter).as<T>()[i];
    if (std::isnan(found))
      return INFINITY;
    error = std::max(error, std::abs(found - row.after[i]));
    scale = std::max(scale, std::abs(row.after[i]));
  }
  return error / scale;
}

// A step rounds the parameter twice at most, and the change, which is at most a
// fifth of the largest element, thirty times at most: 2 + 30 / 5 units of the
// type's precision a step. No number of Muon in bf16 falls on the other side of
// a boundary here.
TEST(TorchSteps, EachOptimizerIsPyTorchs) {
  constexpr double units = kSteps * (2 + 30 / 5);
  for (const Row &row : rows) {
    SCOPED_TRACE(row.rule);
    EXPECT_LE(errorOf<double>(row), units * 0x1p-53);
    EXPECT_LE(errorOf<float>(row), units * 0x1p-24);
  }
}
