// order_r4 as emitted code, against the reference: sums and contractions of
// both types, of narrow operands, with bounds, on inputs that cancel.

#include "RunProgram.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

using namespace gensyn;
using gensyn::cpu::testing::expectBits;
using gensyn::cpu::testing::Program;

namespace {

/// Finite elements of every exponent, half of them in pairs that cancel in a
/// sum; subnormals and zeros among them.
template <class T>
void fillCancelling(Tensor &tensor, std::mt19937_64 &random) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  T *out = tensor.as<T>();
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    do
      out[i] = std::bit_cast<T>(static_cast<Bits>(random()));
    while (!std::isfinite(out[i]));
    if (i % 2 && random() % 2)
      out[i] = -out[i - 1];
    if (random() % 8 == 0)
      out[i] =
          std::numeric_limits<T>::denorm_min() * static_cast<T>(random() % 3);
  }
}

/// Random elements of all kinds, then those that cancel.
void expectExact(const std::string &text) {
  expectBits(text);
  std::mt19937_64 random(5);
  Program program(text);
  std::vector<Tensor> inputs = program.makeInputs(2);
  for (Tensor &input : inputs) {
    if (input.elementType() == ElementType::F32)
      fillCancelling<float>(input, random);
    if (input.elementType() == ElementType::F64)
      fillCancelling<double>(input, random);
  }
  expectBits(text, inputs);
}

std::string matmul(const std::string &a, const std::string &b,
                   const std::string &c, int points) {
  const std::string k = std::to_string(points);
  const std::string left = "tensor<5x" + k + "x" + a + ">";
  const std::string right = "tensor<" + k + "x7x" + b + ">";
  const std::string result = "tensor<5x7x" + c + ">";
  return "func.func @f(%a: " + left + ", %b: " + right + ") -> " + result +
         R"( {
    %c = repro.contract %a, %b domain <[5, 7, )" +
         k + R"(], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order exact : )" +
         left + ", " + right + " -> " + result + "\n  return %c : " + result +
         "\n}";
}

TEST(Exact, order_r4_Contract) {
  for (int points : {0, 1, 150})
    for (const char *type : {"f32", "f64"})
      expectExact(matmul(type, type, type, points));
}

TEST(Exact, order_r4_NarrowOperands) {
  expectExact(matmul("bf16", "f16", "f32", 40));
  expectExact(matmul("f16", "f32", "f32", 40));
  expectExact(matmul("f32", "f64", "f64", 40));
}

TEST(Exact, order_r4_Rows) {
  for (const std::string e : {"f32", "f64"})
    expectExact("func.func @f(%x: tensor<6x70x3x" + e + ">) -> (tensor<6x3x" +
                e + ">, tensor<6x70x" + e +
                R"(>) {
      %m = repro.add %x, %x : tensor<6x70x3x)" +
                e + R"(>
      %s = repro.reduce sum %m domain <[6, 70, 3], reduce [1]>
        maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>]
        order exact : tensor<6x70x3x)" +
                e + "> -> tensor<6x3x" + e + R"(>
      %t = repro.reduce sum %x domain <[6, 70, 3], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        order exact : tensor<6x70x3x)" +
                e + "> -> tensor<6x70x" + e + R"(>
      return %s, %t : tensor<6x3x)" +
                e + ">, tensor<6x70x" + e + ">\n}");
}

// Rows and columns that the schedule of row reductions would take in another
// order.
TEST(Exact, order_r4_LongRowsAndColumns) {
  expectExact(R"(
    func.func @f(%x: tensor<4x200xf32>, %y: tensor<200x64xf32>) -> (tensor<4xf32>, tensor<64xf32>) {
      %s = repro.reduce sum %x domain <[4, 200], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order exact : tensor<4x200xf32> -> tensor<4xf32>
      %t = repro.reduce sum %y domain <[200, 64], reduce [0]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>] order exact : tensor<200x64xf32> -> tensor<64xf32>
      return %s, %t : tensor<4xf32>, tensor<64xf32>
    })");
}

// Convolution, stride 2, padding 1, its data gradient with points left out, and
// a window sum.
TEST(Exact, order_r4_Bounds) {
  expectExact(R"(
    func.func @f(%x: tensor<2x3x9x9xf32>, %w: tensor<4x3x3x3xf32>, %g: tensor<2x4x5x5xf32>)
        -> (tensor<2x4x5x5xf32>, tensor<2x3x9x9xf32>, tensor<2x3x5x5xf32>) {
      %y = repro.contract %x, %w domain <[2, 4, 5, 5, 3, 3, 3], reduce [4, 5, 6]>
        maps [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5 - 1, d3 * 2 + d6 - 1)>,
              affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>,
              affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]
        bounds [zero, in] order exact : tensor<2x3x9x9xf32>, tensor<4x3x3x3xf32> -> tensor<2x4x5x5xf32>
      %dx = repro.contract %g, %w domain <[2, 3, 6, 2, 6, 2, 4, 2, 2], reduce [6, 7, 8]>
        maps [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d6, d2 - d7, d4 - d8)>,
              affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d6, d1, d7 * 2 + d3, d8 * 2 + d5)>,
              affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1, d2 * 2 + d3 - 1, d4 * 2 + d5 - 1)>]
        bounds [zero, skip] order exact : tensor<2x4x5x5xf32>, tensor<4x3x3x3xf32> -> tensor<2x3x9x9xf32>
      %s = repro.reduce sum %x domain <[2, 3, 5, 5, 3, 3], reduce [4, 5]>
        maps [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4 - 1, d3 * 2 + d5 - 1)>,
              affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]
        order exact : tensor<2x3x9x9xf32> -> tensor<2x3x5x5xf32>
      return %y, %dx, %s : tensor<2x4x5x5xf32>, tensor<2x3x9x9xf32>, tensor<2x3x5x5xf32>
    })");
}

} // namespace
