// Maxima and minima of zeros of both signs and of NaNs (g5), which are one
// instruction on some targets: in reductions and element by element.

#include "../RunOnSimulator.h"

#include <cstring>
#include <gtest/gtest.h>

namespace gensyn::gpu {
namespace {

using testing::Program;

constexpr uint32_t kNan = 0x7FC00000, kMinusZero = 0x80000000;
/// Numbers whose order matters, then NaNs: canonical, negative, signaling, the
/// one that PTX instructions return.
constexpr uint32_t kSpecial[] = {
    0,          kMinusZero, 0x00000001, 0x80000001, 0x3F800000, 0xBF800000,
    0x7F800000, 0xFF800000, kNan,       0xFFC00001, 0x7F812345, 0x7FFFFFFF};
constexpr int64_t kCount = std::size(kSpecial), kPairs = kCount * kCount;
constexpr int64_t kPoints = 40;

/// Row r has one number of pair r at one point, the other at all others.
uint32_t elementOf(int64_t row, int64_t point) {
  return kSpecial[point == row * 7 % kPoints ? row / kCount : row % kCount];
}

/// By the definition, without the reference.
uint32_t expected(uint32_t a, uint32_t b, bool isMax) {
  float x, y;
  std::memcpy(&x, &a, 4);
  std::memcpy(&y, &b, 4);
  if (x != x || y != y)
    return kNan;
  if (x == y)
    return isMax ? a & b : a | b;
  return (x > y) == isMax ? a : b;
}

/// Reductions of rows and of columns, whose combinations are along threads and
/// registers, and pairs of elements.
std::string textOf(const std::string &kind) {
  const std::string p = std::to_string(kPairs), n = std::to_string(kPoints);
  const std::string rows = "tensor<" + p + "x" + n + "xf32>",
                    columns = "tensor<" + n + "x" + p + "xf32>",
                    pairs = "tensor<" + p + "xf32>";
  return "func.func @f(%x: " + rows + ", %y: " + columns + ", %a: " + pairs +
         ", %b: " + pairs + ") -> (" + pairs + ", " + pairs + ", " + pairs +
         ") {\n  %r = repro.reduce " + kind + " %x domain <[" + p + ", " + n +
         "], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, "
         "affine_map<(d0, d1) -> (d0)>] : " +
         rows + " -> " + pairs + "\n  %c = repro.reduce " + kind +
         " %y domain <[" + n + ", " + p +
         "], reduce [0]> maps [affine_map<(d0, d1) -> (d0, d1)>, "
         "affine_map<(d0, d1) -> (d1)>] : " +
         columns + " -> " + pairs + "\n  %e = repro." + kind +
         " %a, %b : " + pairs + "\n  return %r, %c, %e : " + pairs + ", " +
         pairs + ", " + pairs + "\n}";
}

class Extrema : public ::testing::TestWithParam<bool> {};

TEST_P(Extrema, ZerosAndNans) {
  const bool isMax = GetParam();
  Program program(textOf(isMax ? "max" : "min"));
  std::vector<Tensor> inputs = program.makeInputs(1);
  auto fill = [&](size_t input, auto bitsAt) {
    for (int64_t i = 0; i < inputs[input].numElements(); ++i) {
      const uint32_t bits = bitsAt(i);
      std::memcpy(inputs[input].data() + i * 4, &bits, 4);
    }
  };
  fill(0, [](int64_t i) { return elementOf(i / kPoints, i % kPoints); });
  fill(1, [](int64_t i) { return elementOf(i % kPairs, i / kPairs); });
  fill(2, [](int64_t i) { return kSpecial[i / kCount]; });
  fill(3, [](int64_t i) { return kSpecial[i % kCount]; });
  for (int sm : testing::allTargets()) {
    SCOPED_TRACE("sm_" + std::to_string(sm));
    testing::Compiled compiled(program, sm);
    const std::vector<Tensor> results = compiled.run(inputs);
    ASSERT_EQ(results.size(), 3u);
    EXPECT_EQ(compiled.ptx.find(isMax ? "max.NaN.f32" : "min.NaN.f32") !=
                  std::string::npos,
              sm >= 80);
    for (int64_t pair = 0; pair < kPairs; ++pair)
      for (const Tensor &result : results) {
        uint32_t bits;
        std::memcpy(&bits, result.data() + pair * 4, 4);
        ASSERT_EQ(bits, expected(kSpecial[pair / kCount],
                                 kSpecial[pair % kCount], isMax))
            << "pair " << pair << " of result " << &result - results.data();
      }
    testing::expectBits(program, compiled, inputs);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Extrema, ::testing::Bool());

} // namespace
} // namespace gensyn::gpu
