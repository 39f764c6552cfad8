// Contractions of f64 and of integers on the simulator against the op's own
// evaluation, bit for bit, and the ways of finding points (ContractPoints.h).

#include "../RunOnSimulator.h"
#include "Contract/ContractSchedule.h"

#include <gtest/gtest.h>

#include <limits>

using namespace mlir;

namespace gensyn::gpu {
namespace {

using testing::Compiled;
using testing::Program;

/// `form` is the op's text from `domain` to its order; operands and result are
/// shapes ("4x5x"), to which element types are added.
struct TypedContract {
  std::string lhs, rhs, result, form;

  std::string text(const std::string &a, const std::string &b,
                   const std::string &c) const {
    auto tensor = [](const std::string &shape, const std::string &element) {
      return "tensor<" + shape + element + ">";
    };
    const std::string types = tensor(lhs, a) + ", " + tensor(rhs, b);
    return "func.func @f(%a: " + tensor(lhs, a) + ", %b: " + tensor(rhs, b) +
           ") -> " + tensor(result, c) + " {\n  %c = repro.contract %a, %b " +
           form + " : " + types + " -> " + tensor(result, c) +
           "\n  return %c : " + tensor(result, c) + "\n}\n";
  }
};

TypedContract typedMatmul(int64_t m, int64_t n, int64_t k, bool transposed,
                          const std::string &order) {
  auto shape = [](int64_t x, int64_t y) {
    return std::to_string(x) + "x" + std::to_string(y) + "x";
  };
  return {shape(m, k), transposed ? shape(n, k) : shape(k, n), shape(m, n),
          "domain <[" + std::to_string(m) + ", " + std::to_string(n) + ", " +
              std::to_string(k) +
              "], reduce [2]> maps [affine_map<(d0, d1, d2) -> (d0, d2)>, "
              "affine_map<(d0, d1, d2) -> (" +
              (transposed ? "d1, d2" : "d2, d1") +
              ")>, affine_map<(d0, d1, d2) -> (d0, d1)>] bounds [in, in]" +
              (order.empty() ? "" : " order " + order)};
}

void checkTyped(const std::string &text, int sm, const std::string &schedule,
                uint32_t seed) {
  SCOPED_TRACE(text + " on sm_" + std::to_string(sm) + " " + schedule);
  Program program(text);
  Schedules schedules;
  schedules.push_back(createContractSchedule());
  Compiled compiled(program, sm, schedule, &schedules);
  ASSERT_EQ(compiled.takenBy, std::vector<std::string>{"contract"});
  std::vector<std::vector<Tensor>> cases = {program.makeInputs(seed),
                                            program.makeFiniteInputs(seed)};
  // An element that is read where a point should be left out is a NaN then.
  cases.push_back(cases.back());
  Tensor &first = cases.back().front();
  if (first.elementType() == ElementType::F32)
    first.as<float>()[first.numElements() / 2] =
        std::numeric_limits<float>::infinity();
  else
    cases.pop_back();
  for (const std::vector<Tensor> &inputs : cases)
    testing::expectBits(program, compiled, inputs);
}

const char *const kTypedTile =
    "{bm = 32, bn = 32, bk = 8, tm = 4, tn = 4, lanes = 4, stages = 3}";
/// The same of bytes that matrix units would multiply.
const char *const kWidenedTile = "{bm = 32, bn = 32, bk = 8, tm = 4, tn = 4, "
                                 "lanes = 4, stages = 3, matrix = false}";
const char *const kTypedRegisters = "{bm = 32, bn = 64, bk = 16, tm = 4, "
                                    "tn = 4, lanes = 4, stages = 2, "
                                    "async = false}";

// contract_r2, in f64.
TEST(GpuContractTypes, Doubles) {
  uint32_t seed = 1;
  for (bool transposed : {false, true})
    for (const char *order :
         {"sequential", "blocked<16, sequential, sequential>"}) {
      const std::string text =
          typedMatmul(37, 42, 50, transposed, order).text("f64", "f64", "f64");
      checkTyped(text, 90, "", seed++);
      checkTyped(text, 80, kTypedTile, seed++);
      checkTyped(text, 75, kTypedRegisters, seed++);
    }
  const std::string even =
      typedMatmul(64, 64, 32, true, "sequential").text("f64", "f64", "f64");
  checkTyped(even, 89, "", seed++);
  checkTyped(even, 80, kTypedTile, seed++);
  for (int sm : {75, 90}) {
    checkTyped(
        typedMatmul(1, 70, 40, false, "sequential").text("f64", "f64", "f64"),
        sm, "", seed++);
    checkTyped(
        typedMatmul(70, 1, 40, false, "sequential").text("f64", "f64", "f64"),
        sm, "", seed++);
    // contract_r1: narrower operands are widened exactly.
    checkTyped(
        typedMatmul(20, 24, 40, false, "sequential").text("f32", "f64", "f64"),
        sm, "", seed++);
    checkTyped(
        typedMatmul(20, 24, 40, true, "sequential").text("bf16", "f32", "f64"),
        sm, "", seed++);
  }
}

// contract_r2: integers modulo 2^width, in any order.
TEST(GpuContractTypes, Integers) {
  uint32_t seed = 100;
  const char *const types[][3] = {
      {"i32", "i32", "i32"},  {"i64", "i64", "i64"},  {"i8", "i8", "i32"},
      {"i8", "i16", "i32"},   {"ui8", "ui8", "ui32"}, {"i8", "i8", "i8"},
      {"i16", "i8", "i16"},   {"i8", "i32", "i64"},   {"i4", "i8", "i32"},
      {"ui4", "ui8", "ui32"}, {"ui64", "ui8", "ui64"}};
  for (const auto &[a, b, c] : types)
    for (bool transposed : {false, true}) {
      const std::string text =
          typedMatmul(21, 36, 40, transposed, "").text(a, b, c);
      checkTyped(text, transposed ? 90 : 75, "", seed++);
      if (transposed)
        checkTyped(text, 80, kWidenedTile, seed++);
    }
  // Parted for the grid, and not.
  const std::string longOnes =
      typedMatmul(4, 36, 2100, false, "").text("i32", "i32", "i32");
  checkTyped(longOnes, 80, "{split = true}", seed++);
  checkTyped(longOnes, 80, "{split = false}", seed++);
}

/// A convolution with a window of `taps` along both dimensions of images of
/// `size` by `size` + 1, and the gradient of its weights.
TypedContract windowOf(int64_t taps, int64_t size, bool isGradient) {
  const std::string k = std::to_string(taps), pad = std::to_string(taps / 2);
  const std::string window = k + "x" + k + "x";
  const std::string y = std::to_string(size), x = std::to_string(size + 1);
  const std::string image = y + "x" + x + "x";
  const std::string dims = "affine_map<(d0, d1, d2, d3, d4, d5, d6) -> ";
  const std::string result = dims + "(d0, d1, d2, d3)>]";
  if (!isGradient)
    return {"1x2x" + image, "3x2x" + window, "1x3x" + image,
            "domain <[1, 3, " + y + ", " + x + ", 2, " + k + ", " + k +
                "], reduce [4, 5, 6]> maps [" + dims + "(d0, d4, d2 + d5 - " +
                pad + ", d3 + d6 - " + pad + ")>, " + dims +
                "(d1, d4, d5, d6)>, " + result + " bounds [zero, in]"};
  return {"1x3x" + image, "1x2x" + image, "3x2x" + window,
          "domain <[3, 2, " + k + ", " + k + ", 1, " + y + ", " + x +
              "], reduce [4, 5, 6]> maps [" + dims + "(d4, d0, d5, d6)>, " +
              dims + "(d4, d1, d5 + d2 - " + pad + ", d6 + d3 - " + pad +
              ")>, " + result + " bounds [in, zero]"};
}

// Few taps are bits, of points or of rows; 16 by 16 of both are too many.
TEST(GpuContractTypes, WindowsSmallAndLarge) {
  uint32_t seed = 200;
  for (int64_t taps : {7, 16})
    for (bool isGradient : {false, true}) {
      TypedContract form = windowOf(taps, taps == 7 ? 9 : 16, isGradient);
      if (taps == 7)
        checkTyped(form.text("i32", "i32", "i32"), 90, kTypedTile, seed++);
      form.form += " order blocked<20, sequential, sequential>";
      checkTyped(form.text("f32", "f32", "f32"), 75, "", seed++);
      checkTyped(form.text("f32", "f32", "f32"), 90, "{wide = true}", seed++);
      if (isGradient)
        checkTyped(form.text("f64", "f64", "f64"), 80, "", seed++);
    }
}

} // namespace
} // namespace gensyn::gpu
