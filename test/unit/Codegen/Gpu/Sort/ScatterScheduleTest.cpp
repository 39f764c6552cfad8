// Elements and rows of a result with one owner each: order, duplicates, faults,
// chunks of the sort.

#include "../RunOnSimulator.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::gpu::testing;

namespace {

/// Bits and faults equal to the reference's; `sizes` is the schedule attribute.
std::string expectScatter(const std::string &text,
                          const std::vector<Tensor> &inputs,
                          const std::string &sizes = "", int sm = 80) {
  SCOPED_TRACE(text);
  Program program(text);
  gpu::testing::Compiled compiled(program, sm, sizes);
  EXPECT_EQ(compiled.takenBy, std::vector<std::string>{"scatter"});
  expectBits(program, compiled, inputs);
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

// More updates of a row than are read at once, in one chunk and in many.
TEST(GpuScatter, Order) {
  for (int64_t row : {1, 7, 64, 300}) {
    const std::string text = rowsText("add", "fault", 5, 200, row);
    Program program(text);
    for (const char *sizes : {"", "{chunk = 64, ways = 2}"}) {
      std::vector<Tensor> inputs = program.makeFiniteInputs(3);
      setIndices(inputs[2], 0, 5);
      expectScatter(text, inputs, sizes);
      inputs = program.makeInputs(4); // infinities and NaN
      setIndices(inputs[2], 0, 5);
      expectScatter(text, inputs, sizes);
    }
  }
}

/// Indices i, or n - i, or all of them one, or none in range.
enum class Pattern { Ascending, Descending, One, None };
void setPattern(Tensor &tensor, Pattern pattern) {
  const int64_t count = tensor.numElements();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t value = pattern == Pattern::Ascending    ? i
                          : pattern == Pattern::Descending ? count - 1 - i
                          : pattern == Pattern::One        ? 3
                                                           : count + i;
    std::memcpy(tensor.data() + i * 8, &value, 8);
  }
}

TEST(GpuScatter, Patterns) {
  for (const char *kind : {"add", "set"})
    for (int64_t row : {1, 66}) {
      const std::string text = rowsText(kind, "zero", 333, 333, row);
      std::vector<Tensor> inputs = Program(text).makeFiniteInputs(3);
      for (Pattern pattern : {Pattern::Ascending, Pattern::Descending,
                              Pattern::One, Pattern::None}) {
        setPattern(inputs[2], pattern);
        expectScatter(text, inputs);
        expectScatter(text, inputs, "{chunk = 64}");
      }
    }
}

// Numbers of chunks that are no power of the ways, and last ones that are not
// full; one update more and less than a chunk.
TEST(GpuScatter, Chunks) {
  for (int64_t updates : {2, 63, 64, 65, 129, 257, 900})
    for (const char *sizes :
         {"{chunk = 64, ways = 2}", "{chunk = 64, ways = 3}",
          "{chunk = 64, ways = 4}", "{chunk = 128, ways = 8}"}) {
      const std::string text = rowsText("add", "fault", 40, updates, 2);
      std::vector<Tensor> inputs = Program(text).makeFiniteInputs(3);
      setIndices(inputs[2], -1, 41);
      expectScatter(text, inputs, sizes);
    }
}

// More updates than a block sorts.
TEST(GpuScatter, ManyUpdates) {
  const std::string text = rowsText("add", "fault", 3000, 9000, 1);
  std::vector<Tensor> inputs = Program(text).makeFiniteInputs(3);
  setIndices(inputs[2], 0, 3000);
  expectScatter(text, inputs);
}

// Without updates, without rows, without elements, and with one update, which
// needs no sort: the step of a loop that fills a tensor.
TEST(GpuScatter, FewUpdates) {
  for (const char *kind : {"set", "add"}) {
    const std::string none = rowsText(kind, "fault", 4, 0, 5);
    expectScatter(none, Program(none).makeFiniteInputs(3));
    const std::string empty = rowsText(kind, "fault", 4, 6, 0);
    expectScatter(empty, Program(empty).makeFiniteInputs(3));
    const std::string nowhere = rowsText(kind, "fault", 0, 6, 5);
    expectScatter(nowhere, Program(nowhere).makeFiniteInputs(3));
    for (int64_t row : {1, 3, 8, 36})
      for (int64_t at : {0, 2, 7, -1}) {
        const std::string text = rowsText(kind, "fault", 7, 1, row);
        std::vector<Tensor> inputs = Program(text).makeInputs(3);
        std::memcpy(inputs[2].data(), &at, 8);
        std::string ptx = expectScatter(text, inputs);
        EXPECT_EQ(ptx.find("bar.sync"), std::string::npos);
      }
  }
}

// ScatterElements along a middle dimension: each element has an index.
TEST(GpuScatter, Elements) {
  const std::string text = R"(
  func.func @f(%t: tensor<3x9x11xf32>, %u: tensor<2x8x10xf32>, %i: tensor<2x8x10xi64>) -> tensor<3x9x11xf32> {
    %y = repro.scatter KIND %t, %u[%i] maps [affine_map<(d0, d1, d2)[s0] -> (d0, s0, d2)>,
      affine_map<(d0, d1, d2) -> (d0, d1, d2)>] bounds fault
      : tensor<3x9x11xf32>, tensor<2x8x10xf32>, tensor<2x8x10xi64>
    return %y : tensor<3x9x11xf32>
  })";
  for (const char *kind : {"set", "add", "mul", "min", "max"}) {
    std::string own = text;
    own.replace(own.find("KIND"), 4, kind);
    std::vector<Tensor> inputs = Program(own).makeInputs(2);
    setIndices(inputs[2], -1, 10);
    expectScatter(own, inputs);
    expectScatter(own, inputs, "{chunk = 64}");
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
  // No element can fault, so no atomic is emitted.
  EXPECT_EQ(ptx.find("atom."), std::string::npos);
  EXPECT_EQ(ptx.find("\tred."), std::string::npos);
}

TEST(GpuScatter, AllTargets) {
  const std::string text = rowsText("add", "fault", 50, 150, 128);
  std::vector<Tensor> inputs = Program(text).makeFiniteInputs(3);
  setIndices(inputs[2], 0, 51);
  for (int sm : allTargets())
    expectScatter(text, inputs, "{chunk = 64}", sm);
}

} // namespace
