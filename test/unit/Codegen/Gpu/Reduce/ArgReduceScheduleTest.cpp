// Positions of winners on the simulator against the reference: rows, columns,
// types, ties, several blocks a result, producers in the kernel.

#include "../RunOnSimulator.h"
#include "ProgramText.h"

#include <gtest/gtest.h>

namespace gensyn::gpu {
namespace {

using cpu::testing::tensorOf;
using testing::Program;

/// arg_reduce of %x over the middle one of up to three dimensions.
std::string argOf(const std::string &kind, int64_t outer, int64_t points,
                  int64_t inner, const std::string &type) {
  const std::string in = tensorOf({outer, points, inner}, type),
                    out = tensorOf({outer, inner}, "i32");
  return "%y = repro.arg_reduce " + kind + " %x domain <[" +
         std::to_string(outer) + ", " + std::to_string(points) + ", " +
         std::to_string(inner) +
         "], reduce [1]> maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, "
         "affine_map<(d0, d1, d2) -> (d0, d2)>] : " +
         in + " -> " + out + "\n  return %y : " + out + "\n}";
}

std::string functionOf(const std::string &kind, int64_t outer, int64_t points,
                       int64_t inner, const std::string &type = "f32") {
  return "func.func @f(%x: " + tensorOf({outer, points, inner}, type) +
         ") -> " + tensorOf({outer, inner}, "i32") + " {\n  " +
         argOf(kind, outer, points, inner, type);
}

/// Bits equal to the reference's on special, finite and equal elements.
std::string expectArg(const std::string &text,
                      llvm::ArrayRef<int> targets = {90},
                      const std::string &schedule = "arg_reduce") {
  SCOPED_TRACE(text);
  Program program(text);
  std::vector<std::vector<Tensor>> cases = {program.makeInputs(1),
                                            program.makeFiniteInputs(2)};
  std::vector<Tensor> &ties = cases.emplace_back(program.makeInputs(3));
  for (Tensor &input : ties)
    std::memset(input.data(), 0, static_cast<size_t>(input.byteSize()));
  std::string ptx;
  for (int sm : targets) {
    SCOPED_TRACE("sm_" + std::to_string(sm));
    testing::Compiled compiled(program, sm);
    EXPECT_EQ(compiled.takenBy.back(), schedule);
    EXPECT_EQ(compiled.ptx.find(".local"), std::string::npos);
    for (const std::vector<Tensor> &inputs : cases)
      testing::expectBits(program, compiled, inputs);
    ptx = compiled.ptx;
  }
  return ptx;
}

TEST(ArgReduceSchedule, Rows) {
  for (int64_t points : {2, 3, 8, 31, 33, 100, 260, 1023})
    for (int64_t rows : {1, 7, 150})
      if (rows * points <= 12000) {
        expectArg(functionOf("max", rows, points, 1));
        expectArg(functionOf("min last", rows, points, 1));
      }
  // Blocks, and several of them for a row.
  for (int64_t points : {3000, 5001, 20000, 50257, 65536})
    expectArg(functionOf("max last", 1, points, 1));
  expectArg(functionOf("min", 3, 40004, 1));
}

TEST(ArgReduceSchedule, Columns) {
  for (int64_t inner : {2, 3, 17, 31, 33, 100, 132})
    for (int64_t points : {2, 5, 21, 70}) {
      expectArg(functionOf("max", 1, points, inner));
      expectArg(functionOf("min last", 5, points, inner));
    }
  // Several blocks for a column.
  expectArg(functionOf("max", 1, 20000, 3));
  expectArg(functionOf("max last", 1, 2600, 33));
  // Enough columns for accesses of several.
  expectArg(functionOf("min", 2, 3, 33280));
}

TEST(ArgReduceSchedule, KindsAndTypes) {
  for (const char *kind : {"max", "min", "max last", "min last"})
    for (const char *type : {"f32", "f64", "i32", "ui32", "i64", "ui64", "i16",
                             "ui16", "i8", "ui8", "i1"}) {
      expectArg(functionOf(kind, 9, 71, 1, type));
      expectArg(functionOf(kind, 2, 9, 40, type));
    }
  for (const char *type : {"f64", "i64", "ui8"}) {
    expectArg(functionOf("min", 1, 4096, 1, type));
    expectArg(functionOf("max", 1, 66000, 1, type));
    expectArg(functionOf("max last", 3, 1300, 5, type));
  }
}

// Producers of the elements are fused: a difference from a value per row, rows
// that are gathered (which may fault).
TEST(ArgReduceSchedule, Producers) {
  for (int64_t n : {36, 1001, 4096}) {
    const std::string full = tensorOf({6, n, 1}, "f32");
    std::string ptx =
        expectArg("func.func @f(%z: " + full +
                  ", %r: tensor<6xf32>, %c: " + tensorOf({n}, "f32") +
                  ") -> tensor<6x1xi32> {\n  %b = repro.broadcast "
                  "%r dims [0] : tensor<6xf32> to " +
                  full + "\n  %d = repro.broadcast %c dims [1] : " +
                  tensorOf({n}, "f32") + " to " + full +
                  "\n  %s = repro.sub %z, %b : " + full +
                  "\n  %x = repro.mul %s, %d : " + full + "\n  " +
                  argOf("max", 6, n, 1, "f32"));
    EXPECT_EQ(ptx.find("shfl.sync.bfly") == std::string::npos, false);
  }
  expectArg("func.func @f(%t: tensor<9x40xf32>, %i: tensor<5xi32>) -> "
            "tensor<5x1xi32> {\n  %g = repro.gather %t[%i] maps "
            "[affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> "
            "(d0)>] bounds fault : tensor<9x40xf32>, tensor<5xi32> -> "
            "tensor<5x40xf32>\n  %x = repro.reshape %g : tensor<5x40xf32> to "
            "tensor<5x40x1xf32>\n  " +
            argOf("min last", 5, 40, 1, "f32"));
}

TEST(ArgReduceSchedule, AllTargets) {
  const std::vector<int> targets = testing::allTargets();
  expectArg(functionOf("max", 3, 1000, 1), targets);
  expectArg(functionOf("max", 1, 40000, 1, "f64"), targets);
  expectArg(functionOf("min", 1, 70, 40), targets);
}

// Windows, whose points are few and overlap, are a thread an element; so is a
// single point.
TEST(ArgReduceSchedule, OthersArePointwise) {
  expectArg(functionOf("max", 3, 1, 5), {90}, "pointwise");
  expectArg("func.func @f(%x: tensor<3x9x9xf32>) -> tensor<3x4x4xi32> {\n  %y "
            "= repro.arg_reduce max %x domain <[3, 4, 4, 3, 3], reduce [3, 4]> "
            "maps [affine_map<(d0, d1, d2, d3, d4) -> (d0, 2 * d1 + d3, 2 * d2 "
            "+ d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>] : "
            "tensor<3x9x9xf32> -> tensor<3x4x4xi32>\n  return %y : "
            "tensor<3x4x4xi32>\n}",
            {90}, "pointwise");
}

} // namespace
} // namespace gensyn::gpu
