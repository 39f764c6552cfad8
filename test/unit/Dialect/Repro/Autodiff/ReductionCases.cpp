// Contractions and reductions for DerivativeTest: rows, batches, and windows of
// every mixture of stride, dilation and padding.

#include "DerivativeCases.h"

#include <numeric>

namespace gensyn::train::test {

static std::string number(int64_t value) { return std::to_string(value); }

// "2 * d1 + 3 * d3 - 1"
static std::string windowIndex(int64_t stride, int64_t dilation, int64_t pad,
                               const char *outer, const char *inner) {
  return std::string(outer) + " * " + number(stride) + " + " + inner + " * " +
         number(dilation) + " - " + number(pad);
}

namespace {
struct Window {
  int64_t extent, kernel, stride, dilation, pad;
  int64_t outputs() const {
    return (extent + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1;
  }
};
} // namespace

// One-dimensional convolution, x [2, c, extent], w [f, c, kernel].
static std::string convolution(Window w) {
  std::string in = "tensor<2x2x" + number(w.extent) + "xf64>";
  std::string weights = "tensor<3x2x" + number(w.kernel) + "xf64>";
  std::string out = "tensor<2x3x" + number(w.outputs()) + "xf64>";
  std::string dims = "affine_map<(d0, d1, d2, d3, d4) -> ";
  return "func.func @main(%x: " + in + ", %w: " + weights + ") -> " + out +
         " {\n  %y = repro.contract %x, %w domain <[2, 3, " +
         number(w.outputs()) + ", 2, " + number(w.kernel) +
         "], reduce [3, 4]> maps [" + dims + "(d0, d3, " +
         windowIndex(w.stride, w.dilation, w.pad, "d2", "d4") + ")>, " + dims +
         "(d1, d3, d4)>, " + dims + "(d0, d1, d2)>] bounds [" +
         (w.pad ? "zero" : "in") + ", in] : " + in + ", " + weights + " -> " +
         out + "\n  return %y : " + out + "\n}\n";
}

// Pooling of x [2, extent].
static std::string pooling(const std::string &kind, Window w) {
  std::string in = "tensor<2x" + number(w.extent) + "xf64>";
  std::string out = "tensor<2x" + number(w.outputs()) + "xf64>";
  std::string dims = "affine_map<(d0, d1, d2) -> ";
  return "func.func @main(%x: " + in + ") -> " + out +
         " {\n  %y = repro.reduce " + kind + " %x domain <[2, " +
         number(w.outputs()) + ", " + number(w.kernel) +
         "], reduce [2]> maps [" + dims + "(d0, " +
         windowIndex(w.stride, w.dilation, w.pad, "d1", "d2") + ")>, " + dims +
         "(d0, d1)>] : " + in + " -> " + out + "\n  return %y : " + out +
         "\n}\n";
}

// The other way round, as in Col2Im: columns x [kernel, outputs] are added up
// where they land on y [extent]. Shape P of domain_c4.
static std::string landing(Window w) {
  const int64_t common = std::gcd(w.stride, w.dilation);
  const int64_t phases = w.stride / common, step = w.dilation / common;
  auto floorDivide = [](int64_t a, int64_t b) {
    return a / b - (a % b != 0 && a < 0);
  };
  const int64_t low = floorDivide(w.pad - w.dilation * (phases - 1), w.stride);
  const int64_t high = floorDivide(w.extent - 1 + w.pad, w.stride);
  const int64_t taps = (w.kernel + phases - 1) / phases;
  std::string in =
      "tensor<" + number(w.kernel) + "x" + number(w.outputs()) + "xf64>";
  std::string out = "tensor<" + number(w.extent) + "xf64>";
  std::string dims = "affine_map<(d0, d1, d2) -> ";
  return "func.func @main(%x: " + in + ") -> " + out +
         " {\n  %y = repro.reduce sum %x domain <[" + number(high - low + 1) +
         ", " + number(phases) + ", " + number(taps) + "], reduce [2]> maps [" +
         dims + "(d2 * " + number(phases) + (phases > 1 ? " + d1" : "") +
         ", d0 - d2 * " + number(step) + " + " + number(low) + ")>, " + dims +
         "(d0 * " + number(w.stride) +
         (phases > 1 ? " + d1 * " + number(w.dilation) : "") + " + " +
         number(w.stride * low - w.pad) + ")>] : " + in + " -> " + out +
         "\n  return %y : " + out + "\n}\n";
}

static std::string rows(const std::string &kind) {
  return "func.func @main(%x: tensor<2x5x3xf64>) -> tensor<2x3xf64> {\n"
         "  %y = repro.reduce " +
         kind +
         " %x domain <[2, 5, 3], reduce [1]> maps [affine_map<(d0, d1, d2) -> "
         "(d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>] : "
         "tensor<2x5x3xf64> -> tensor<2x3xf64>\n"
         "  return %y : tensor<2x3xf64>\n}\n";
}

std::vector<DerivativeCase> reductionCases() {
  std::vector<DerivativeCase> cases = {{rows("sum"), {}},
                                       {rows("product"), {}},
                                       {rows("max"), {}},
                                       {rows("min"), {}}};
  // A product over two dimensions, and of one factor.
  cases.push_back({R"(
func.func @main(%x: tensor<2x3x2x2xf64>) -> tensor<2x2xf64> {
  %y = repro.reduce product %x domain <[2, 2, 3, 2], reduce [2, 3]>
      maps [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>]
      : tensor<2x3x2x2xf64> -> tensor<2x2xf64>
  return %y : tensor<2x2xf64>
})",
                   {}});
  cases.push_back({R"(
func.func @main(%x: tensor<3x1xf64>) -> tensor<3xf64> {
  %y = repro.reduce product %x domain <[3, 1], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<3x1xf64> -> tensor<3xf64>
  return %y : tensor<3xf64>
})",
                   {}});
  // A matrix product whose right side has no batch dimension and is transposed.
  cases.push_back({R"(
func.func @main(%a: tensor<2x3x4xf64>, %b: tensor<5x4xf64>) -> tensor<2x3x5xf64> {
  %y = repro.contract %a, %b domain <[2, 3, 5, 4], reduce [3]>
      maps [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>,
            affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]
      bounds [in, in] : tensor<2x3x4xf64>, tensor<5x4xf64> -> tensor<2x3x5xf64>
  return %y : tensor<2x3x5xf64>
})",
                   {}});
  // A diagonal, and the product of one with the rows of another matrix.
  cases.push_back({R"(
func.func @main(%a: tensor<3x2x3xf64>, %b: tensor<3x4xf64>) -> tensor<4x2xf64> {
  %y = repro.contract %a, %b domain <[4, 2, 3], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d2, d1, d2)>, affine_map<(d0, d1, d2) -> (d2, d0)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] : tensor<3x2x3xf64>, tensor<3x4xf64> -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
})",
                   {}});
  // Both reduction and arg_reduce: the position of the largest is constant.
  cases.push_back({R"(
func.func @main(%x: tensor<3x4xf64>) -> tensor<3xf64> {
  %i = repro.arg_reduce max %x domain <[3, 4], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<3x4xf64> -> tensor<3xi32>
  %f = repro.convert %i : tensor<3xi32> to tensor<3xf64>
  %s = repro.reduce sum %x domain <[3, 4], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<3x4xf64> -> tensor<3xf64>
  %y = repro.mul %f, %s : tensor<3xf64>
  return %y : tensor<3xf64>
})",
                   {}});
  for (int64_t stride = 1; stride <= 3; ++stride)
    for (int64_t dilation = 1; dilation <= 3; ++dilation)
      for (int64_t pad = 0; pad <= 2; ++pad)
        cases.push_back({convolution({9, 3, stride, dilation, pad}), {}});
  cases.push_back({convolution({8, 5, 2, 1, 2}), {}});
  cases.push_back({convolution({7, 1, 2, 1, 0}), {}});
  for (const char *kind : {"sum", "max", "min"})
    for (Window window : {Window{9, 3, 2, 1, 1}, Window{9, 2, 2, 1, 0},
                          Window{9, 3, 1, 2, 1}, Window{10, 2, 3, 1, 0}})
      cases.push_back({pooling(kind, window), {}});
  for (int64_t stride = 1; stride <= 3; ++stride)
    for (int64_t dilation = 1; dilation <= 2; ++dilation)
      for (int64_t pad = 0; pad <= 1; ++pad)
        cases.push_back({landing({9, 3, stride, dilation, pad}), {}});
  return cases;
}

} // namespace gensyn::train::test
