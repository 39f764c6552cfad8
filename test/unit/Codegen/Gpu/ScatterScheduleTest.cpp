// Rows of a result with one owner each: order, duplicates, faults, pieces.

#include "RunOnSimulator.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::gpu::testing;

namespace {

std::string expectScatter(const std::string &text,
                          const std::vector<Tensor> &inputs,
                          const std::string &schedule = "scatter") {
  Program program(text);
  std::vector<Tensor> expected = program.interpret(inputs);
  gpu::testing::Compiled compiled(program, 80);
  EXPECT_EQ(compiled.takenBy, std::vector<std::string>{schedule});
  std::vector<Tensor> actual = compiled.run(inputs);
  EXPECT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_EQ(firstDifference(expected[i], actual[i]), "") << text;
  EXPECT_EQ(compiled.faults, program.faults);
  EXPECT_EQ(compiled.ptx.find(".local"), std::string::npos);
  return compiled.ptx;
}

/// `count` updates of rows of a table of `rows`, f32; indices from -1 up where
/// `spread` is larger than `rows`.
std::string rowsText(const std::string &kind, const std::string &bounds,
                     int64_t rows, int64_t updates, int64_t row,
                     const std::string &type = "f32") {
  auto tensor = [&](int64_t n) {
    return "tensor<" + std::to_string(n) + "x" + std::to_string(row) + "x" +
           type + ">";
  };
  const std::string index = "tensor<" + std::to_string(updates) + "xi64>";
  return "func.func @f(%t: " + tensor(rows) + ", %u: " + tensor(updates) +
         ", %i: " + index + ") -> " + tensor(rows) + " {\n%y = repro.scatter " +
         kind +
         " %t, %u[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, "
         "affine_map<(d0, d1) -> (d0)>] bounds " +
         bounds + " : " + tensor(rows) + ", " + tensor(updates) + ", " + index +
         "\nreturn %y : " + tensor(rows) + "\n}";
}

void setIndices(Tensor &tensor, int64_t low, int64_t high) {
  std::mt19937 random(9);
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    const int64_t value =
        low +
        static_cast<int64_t>(random() % static_cast<uint32_t>(high - low));
    std::memcpy(tensor.data() + i * 8, &value, 8);
  }
}

// More than 32 updates a row, so that order runs through several ballots.
TEST(GpuScatter, Order) {
  for (int64_t row : {1, 7, 64, 300}) {
    const std::string text = rowsText("add", "fault", 5, 200, row);
    Program program(text);
    std::vector<Tensor> inputs = program.makeFiniteInputs(3);
    setIndices(inputs[2], 0, 5);
    expectScatter(text, inputs);
    inputs = program.makeInputs(4); // infinities and NaN
    setIndices(inputs[2], 0, 5);
    expectScatter(text, inputs);
  }
}

TEST(GpuScatter, Kinds) {
  for (const char *kind : {"set", "mul", "min", "max"}) {
    const std::string text = rowsText(kind, "zero", 6, 90, 130);
    std::vector<Tensor> inputs = Program(text).makeInputs(6);
    setIndices(inputs[2], -2, 8);
    expectScatter(text, inputs);
  }
  for (const char *type : {"i64", "ui8", "bf16", "i1", "f64"}) {
    const std::string text = rowsText("set", "zero", 6, 40, 67, type);
    std::vector<Tensor> inputs = Program(text).makeInputs(6);
    setIndices(inputs[2], 0, 6);
    expectScatter(text, inputs);
  }
  const std::string text = rowsText("add", "zero", 6, 40, 128, "f64");
  std::vector<Tensor> inputs = Program(text).makeFiniteInputs(6);
  setIndices(inputs[2], 0, 6);
  expectScatter(text, inputs);
}

// The first update out of range is the fault's position; others are applied.
TEST(GpuScatter, Faults) {
  const std::string text = rowsText("add", "fault", 4, 70, 12);
  std::vector<Tensor> inputs = Program(text).makeFiniteInputs(2);
  setIndices(inputs[2], -1, 5);
  expectScatter(text, inputs);
  setIndices(inputs[2], 0, 4);
  const int64_t far = (int64_t(1) << 32) + 1;
  std::memcpy(inputs[2].data() + 33 * 8, &far, 8);
  expectScatter(text, inputs);
}

// Updates with two indices, in a batch, from values that are computed.
TEST(GpuScatter, Fused) {
  const std::string text = R"(
  func.func @f(%t: tensor<3x4x5x36xf32>, %u: tensor<3x9x36xf32>, %i: tensor<9xi64>, %j: tensor<3x9xi64>) -> tensor<3x4x5x36xf32> {
    %n = repro.neg %u : tensor<3x9x36xf32>
    %y = repro.scatter add %t, %n[%i, %j] maps [affine_map<(d0, d1, d2)[s0, s1] -> (d0, s0, s1, d2)>,
      affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] bounds zero
      : tensor<3x4x5x36xf32>, tensor<3x9x36xf32>, tensor<9xi64>, tensor<3x9xi64>
    return %y : tensor<3x4x5x36xf32>
  })";
  std::vector<Tensor> inputs = Program(text).makeFiniteInputs(2);
  setIndices(inputs[2], 0, 2);
  setIndices(inputs[3], 0, 2);
  std::string ptx = expectScatter(text, inputs);
  EXPECT_NE(ptx.find("vote.sync.ballot"), std::string::npos);
  EXPECT_EQ(ptx.find("red."), std::string::npos);
}

} // namespace
