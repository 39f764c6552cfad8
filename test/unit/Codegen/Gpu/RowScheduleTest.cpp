// Reductions over rows on the simulator against the reference: row lengths,
// kinds, orders, types, several reductions in a kernel.

#include "RunOnSimulator.h"

#include <gtest/gtest.h>

namespace gensyn::gpu {
namespace {

using testing::Program;

/// Expects the schedule to take the last kernel, and bits equal to the
/// reference's, with ordinary and special inputs.
void expectBits(const std::string &text, const std::string &schedule,
                llvm::ArrayRef<int> targets = {90}) {
  SCOPED_TRACE(text);
  Program program(text);
  const std::vector<std::vector<Tensor>> cases = {program.makeInputs(1),
                                                  program.makeFiniteInputs(1)};
  for (int sm : targets) {
    testing::Compiled compiled(program, sm);
    ASSERT_FALSE(compiled.takenBy.empty());
    EXPECT_EQ(compiled.takenBy.back(), schedule);
    for (const std::vector<Tensor> &inputs : cases) {
      std::vector<Tensor> expected = program.interpret(inputs);
      std::vector<Tensor> actual = compiled.run(inputs);
      ASSERT_EQ(actual.size(), expected.size());
      EXPECT_EQ(compiled.faults, program.faults);
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(testing::firstDifference(expected[i], actual[i]), "")
            << "result " << i << " on sm_" << sm;
    }
  }
}

std::string shape(std::initializer_list<int64_t> extents,
                  const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : extents)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

/// One reduction of a matrix over its rows.
std::string rowsOf(const std::string &kind, int64_t rows, int64_t points,
                   const std::string &order,
                   const std::string &element = "f32") {
  std::string in = shape({rows, points}, element), out = shape({rows}, element);
  return "func.func @f(%x: " + in + ") -> " + out + " {\n  %y = repro.reduce " +
         kind + " %x domain <[" + std::to_string(rows) + ", " +
         std::to_string(points) +
         "], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, "
         "affine_map<(d0, d1) -> (d0)>]" +
         (order.empty() ? "" : " order " + order) + " : " + in + " -> " + out +
         "\n  return %y : " + out + "\n}";
}

const std::string kBlocked = "blocked<1024, lanes<32>, lanes<32>>";

TEST(RowSchedule, LengthsOfOneUnit) {
  for (int64_t points :
       {2, 3, 8, 10, 31, 32, 33, 48, 64, 77, 256, 300, 768, 1023, 1024})
    for (int64_t rows : {1, 7, 150}) {
      if (rows * points > 12000)
        continue;
      expectBits(rowsOf("sum", rows, points, "lanes<32>"), "rows");
      expectBits(rowsOf("max", rows, points, ""), "rows");
    }
  // More rows than would fill the device: fewer threads for each.
  expectBits(rowsOf("sum", 700, 20, "lanes<32>"), "rows");
  expectBits(rowsOf("sum", 1100, 8, "lanes<32>"), "rows");
  expectBits(rowsOf("sum", 600, 128, "lanes<32>"), "rows");
  expectBits(rowsOf("sum", 400, 258, "lanes<32>"), "rows");
}

TEST(RowSchedule, LengthsOfManyUnits) {
  for (int64_t points : {1025, 2048, 4096, 5000, 18000})
    expectBits(rowsOf("sum", 2, points, kBlocked), "rows");
  expectBits(rowsOf("max", 1, 5000, ""), "rows");
  // Enough units for two launches.
  expectBits(rowsOf("sum", 1, 50257, kBlocked), "rows");
  expectBits(rowsOf("min", 9, 4097, ""), "rows");
  // Blocks of blocks.
  expectBits(
      rowsOf("sum", 1, 70000,
             "blocked<64, lanes<32>, blocked<1024, lanes<32>, lanes<32>>>"),
      "rows");
  expectBits(rowsOf("sum", 135, 1300,
                    "blocked<64, lanes<32>, blocked<8, lanes<4>, sequential>>"),
             "rows");
}

TEST(RowSchedule, KindsOrdersAndTypes) {
  expectBits(rowsOf("product", 5, 70, "lanes<32>"), "rows");
  expectBits(rowsOf("min", 5, 70, ""), "rows");
  for (const char *order :
       {"sequential", "lanes<2>", "lanes<8>", "lanes<64>", "lanes<128>",
        "lanes<1024>", "blocked<96, lanes<32>, sequential>",
        "blocked<256, lanes<128>, lanes<2>>",
        "blocked<128, lanes<64>, lanes<64>>"})
    for (int64_t points : {259, 260})
      expectBits(rowsOf("sum", 3, points, order), "rows");
  expectBits(rowsOf("sum", 3, 100, "lanes<32>", "f64"), "rows");
  expectBits(rowsOf("max", 3, 2100, "", "f64"), "rows");
  for (const char *type : {"i32", "ui32", "i64", "ui8", "i16"}) {
    expectBits(rowsOf("sum", 3, 100, "", type), "rows");
    expectBits(rowsOf("max", 3, 1028, "", type), "rows");
  }
  expectBits(rowsOf("and", 40, 3, "", "i1"), "rows");
  expectBits(rowsOf("or", 3, 2000, "", "i1"), "rows");
}

TEST(RowSchedule, AllTargets) {
  const int targets[] = {75, 80, 86, 89, 90, 100, 120};
  expectBits(rowsOf("sum", 3, 1000, "lanes<32>"), "rows", targets);
  expectBits(rowsOf("sum", 3, 5000, kBlocked), "rows", targets);
}

TEST(RowSchedule, ExactSumsAreOthers) {
  expectBits(rowsOf("sum", 3, 20, "exact"), "pointwise");
}

} // namespace
} // namespace gensyn::gpu
