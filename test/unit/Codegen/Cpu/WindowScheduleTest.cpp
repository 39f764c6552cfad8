// Reductions of windows in vectors, against the reference. Which kernels the
// schedule takes is tested with its name, since what it leaves has the same
// bits.

#include "RunProgram.h"

#include <gtest/gtest.h>

using namespace gensyn::cpu;
using namespace gensyn::cpu::testing;

namespace {

void expectTaken(const std::string &text) {
  EXPECT_EQ(schedulesOf(text).back(), "window") << text;
  expectBits(text);
}

void expectLeft(const std::string &text) {
  EXPECT_EQ(schedulesOf(text).back(), "baseline") << text;
  expectBits(text);
}

std::string tensor(const std::string &shape, const std::string &element) {
  return "tensor<" + shape + "x" + element + ">";
}

/// A reduction of windows of `taps` by `taps` elements with the given index of
/// the operand in rows o and taps k, such as "2 * o + k - 1".
std::string pool(const std::string &reduction, const std::string &order,
                 const std::string &element, int64_t rows, int64_t columns,
                 int64_t outRows, int64_t outColumns, int64_t taps,
                 std::string rowIndex, std::string columnIndex,
                 const std::string &result) {
  auto name = [](std::string index, const std::string &o,
                 const std::string &k) {
    for (char &letter : index)
      letter = letter == 'o' ? o[0] : letter == 'k' ? k[0] : letter;
    return index;
  };
  auto text = [](int64_t number) { return std::to_string(number); };
  const std::string shape = "3x" + text(rows) + "x" + text(columns);
  const std::string out = "3x" + text(outRows) + "x" + text(outColumns);
  return "func.func @f(%a: " + tensor(shape, element) + ") -> " +
         tensor(out, result) + " {\n  %y = repro." + reduction +
         " %a domain <[3, " + text(outRows) + ", " + text(outColumns) + ", " +
         text(taps) + ", " + text(taps) +
         "], reduce [3, 4]> maps [affine_map<(c, h, w, i, j) -> (c, " +
         name(rowIndex, "h", "i") + ", " + name(columnIndex, "w", "j") +
         ")>, affine_map<(c, h, w, i, j) -> (c, h, w)>]" + order + " : " +
         tensor(shape, element) + " -> " + tensor(out, result) +
         "\n  return %y : " + tensor(out, result) + "\n}";
}

const std::string kSequential = " order sequential";

TEST(WindowSchedule, Strides) {
  const std::string rows = "o + k - 1";
  for (const char *kind : {"reduce max", "reduce min"})
    expectTaken(
        pool(kind, "", "f32", 9, 67, 9, 34, 3, rows, "2 * o + k - 1", "f32"));
  expectTaken(
      pool("reduce max", "", "f32", 9, 40, 9, 40, 3, rows, "o + k - 1", "f32"));
  // Nothing is out of bounds; the last vector ends with the tensor.
  for (int stride : {2, 3, 4, 5})
    expectTaken(pool("reduce max", "", "f32", 4, stride * 19, 4, 19, stride,
                     "o + k * 0", std::to_string(stride) + " * o + k", "f32"));
  expectTaken(pool("reduce max", "", "f32", 9, 55, 9, 27, 3, rows,
                   "2 * o + 3 * k - 3", "f32"));
  expectTaken(pool("reduce max", "", "f32", 9, 55, 9, 16, 3, rows,
                   "4 * o + k - 5", "f32"));
}

TEST(WindowSchedule, NarrowRows) {
  const std::string rows = "o + k - 1";
  for (int64_t columns : {4, 7, 14, 17})
    for (const char *index : {"o + k - 1", "2 * o + k - 1"})
      expectTaken(pool("reduce max", "", "f32", 5, 2 * columns, 5, columns, 3,
                       rows, index, "f32"));
  expectLeft(pool("reduce max", "", "f32", 5, 6, 5, 3, 3, rows, "2 * o + k - 1",
                  "f32"));
}

TEST(WindowSchedule, Kinds) {
  const std::string rows = "o + k - 1", columns = "2 * o + k - 1";
  auto expect = [&](const std::string &kind, const std::string &order,
                    const std::string &element, const std::string &result) {
    expectTaken(
        pool(kind, order, element, 9, 66, 9, 33, 3, rows, columns, result));
  };
  for (const char *element : {"f32", "f64"}) {
    expect("reduce sum", kSequential, element, element);
    expect("reduce product", kSequential, element, element);
    expect("reduce max", "", element, element);
  }
  for (const char *element : {"i8", "ui8", "i16", "i32", "i64"}) {
    expect("reduce sum", "", element, element);
    expect("reduce min", "", element, element);
  }
  expect("reduce and", "", "i1", "i1");
  for (const char *kind : {"arg_reduce max", "arg_reduce min last"})
    expect(kind, "", "f32", "i32");
  // More points than are written one after another.
  expectTaken(pool("reduce sum", kSequential, "f32", 9, 66, 9, 30, 5,
                   "o + k - 2", "2 * o + k - 1", "f32"));
  expectLeft(pool("reduce sum", " order exact", "f32", 9, 66, 9, 33, 3, rows,
                  columns, "f32"));
  expectLeft(pool("reduce sum", " order lanes<4>", "f32", 9, 66, 9, 33, 3, rows,
                  columns, "f32"));
}

// Lanes along channels, which are last.
TEST(WindowSchedule, ChannelsLast) {
  expectTaken(R"(
    func.func @f(%a: tensor<9x11x24xf32>) -> tensor<5x6x24xf32> {
      %y = repro.reduce max %a domain <[5, 6, 24, 3, 3], reduce [3, 4]>
        maps [affine_map<(h, w, c, i, j) -> (2 * h + i - 1, 2 * w + j - 1, c)>,
              affine_map<(h, w, c, i, j) -> (h, w, c)>] : tensor<9x11x24xf32> -> tensor<5x6x24xf32>
      return %y : tensor<5x6x24xf32>
    })");
}

// The gradient of a maximum of windows: the result has the stride (shape P).
TEST(WindowSchedule, Gradient) {
  expectTaken(R"(
    func.func @f(%winner: tensor<2x34xi32>, %g: tensor<2x34xf32>) -> tensor<2x67xf32> {
      %b = repro.broadcast %winner dims [0, 1] : tensor<2x34xi32> to tensor<2x34x3xi32>
      %i = repro.iota dim 0 : tensor<3xi32>
      %n = repro.broadcast %i dims [2] : tensor<3xi32> to tensor<2x34x3xi32>
      %e = repro.compare eq %b, %n : tensor<2x34x3xi32>
      %s = repro.broadcast %g dims [0, 1] : tensor<2x34xf32> to tensor<2x34x3xf32>
      %z = repro.constant dense<0.0> : tensor<2x34x3xf32>
      %t = repro.select %e, %s, %z : tensor<2x34x3xf32>
      %y = repro.reduce sum %t domain <[2, 35, 2, 2], reduce [3]>
        maps [affine_map<(c, q, r, t) -> (c, q - t, 2 * t + r)>,
              affine_map<(c, q, r, t) -> (c, 2 * q + r - 1)>] order sequential
        : tensor<2x34x3xf32> -> tensor<2x67xf32>
      return %y : tensor<2x67xf32>
    })");
}

// Sums of windows that land on a result, with strides up to more phases than
// have code of their own.
TEST(WindowSchedule, Phases) {
  for (int stride : {1, 2, 3, 4, 5}) {
    const std::string s = std::to_string(stride),
                      size = std::to_string(stride * 20);
    const bool hasPhase = stride > 1;
    expectTaken("func.func @f(%g: tensor<2x20x" + s + "xf32>) -> tensor<2x" +
                size + "xf32> {\n  %y = repro.reduce sum %g domain <[2, 20, " +
                (hasPhase ? s + ", 1], reduce [3]> " : "1], reduce [2]> ") +
                (hasPhase ? "maps [affine_map<(c, q, r, t) -> (c, q - t, " + s +
                                " * t + r)>, affine_map<(c, q, r, t) -> (c, " +
                                s + " * q + r)>]"
                          : "maps [affine_map<(c, q, t) -> (c, q - t, t)>, "
                            "affine_map<(c, q, t) -> (c, q)>]") +
                " order sequential : tensor<2x20x" + s + "xf32> -> tensor<2x" +
                size + "xf32>\n  return %y : tensor<2x" + size + "xf32>\n}");
  }
  // Fewer columns than phases.
  expectLeft(R"(func.func @f(%g: tensor<2x1x4xf32>) -> tensor<2x1xf32> {
      %y = repro.reduce sum %g domain <[2, 1, 4, 1], reduce [3]> maps [
        affine_map<(c, q, r, t) -> (c, q - t, 4 * t + r)>,
        affine_map<(c, q, r, t) -> (c, 4 * q + r)>] order sequential
        : tensor<2x1x4xf32> -> tensor<2x1xf32>
      return %y : tensor<2x1xf32>
    })");
}

} // namespace
