// Reductions over rows on the simulator against the reference: row lengths,
// kinds, orders, types, several reductions in a kernel.

#include "../RunOnSimulator.h"
#include "ProgramText.h"

#include <cstring>
#include <gtest/gtest.h>

namespace gensyn::gpu {
namespace {

using cpu::testing::tensorOf;
using testing::Program;

/// Expects the schedule to take the last kernel, and bits equal to the
/// reference's, with ordinary and special inputs. `options` is the kernels'
/// schedule attribute. Returns the shared memory that the largest launch of the
/// last target needs an attribute for, in bytes.
uint64_t expectBits(const std::string &text, const std::string &schedule,
                    llvm::ArrayRef<int> targets = {90},
                    const std::string &options = "") {
  uint64_t shared = 0;
  SCOPED_TRACE(text);
  Program program(text);
  const std::vector<std::vector<Tensor>> cases = {program.makeInputs(1),
                                                  program.makeFiniteInputs(1)};
  for (int sm : targets) {
    SCOPED_TRACE("sm_" + std::to_string(sm));
    testing::Compiled compiled(program, sm, options);
    if (compiled.takenBy.empty()) {
      ADD_FAILURE() << "no kernel";
      return 0;
    }
    EXPECT_EQ(compiled.takenBy.back(), schedule);
    shared = 0;
    for (const plan::Launch &launch : compiled.plan.launches())
      shared = std::max(shared, uint64_t(launch.shared_bytes()));
    for (const std::vector<Tensor> &inputs : cases)
      testing::expectBits(program, compiled, inputs);
  }
  return shared;
}

/// Stages rows in shared memory that would fit in registers.
const std::string kStaged = "{hold = false}";

/// One reduction of a matrix over its rows.
std::string rowsOf(const std::string &kind, int64_t rows, int64_t points,
                   const std::string &order,
                   const std::string &element = "f32") {
  std::string in = tensorOf({rows, points}, element),
              out = tensorOf({rows}, element);
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

// The second launch combines units in loops over several steps.
TEST(RowSchedule, JoinsOfManyUnits) {
  for (const char *order :
       {"blocked<256, lanes<128>, lanes<2>>",
        "blocked<96, lanes<32>, sequential>",
        "blocked<64, lanes<32>, blocked<100, lanes<8>, lanes<2>>>"})
    for (const char *options : {"", "{warps = 3, unrolled = 2}"})
      expectBits(rowsOf("sum", 2, 18000, order), "rows", {90}, options);
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

/// A reduction in a kernel over rows [m, n], its operand and result.
std::string reduction(const std::string &kind, const std::string &from,
                      const std::string &to, int64_t m, int64_t n) {
  const std::string order = kind != "sum" ? ""
                            : n <= 1024   ? " order lanes<32>"
                                          : " order " + kBlocked;
  return to + " = repro.reduce " + kind + " " + from + " domain <[" +
         std::to_string(m) + ", " + std::to_string(n) +
         "], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, "
         "affine_map<(d0, d1) -> (d0)>]" +
         order + " : " + tensorOf({m, n}, "f32") + " -> " +
         tensorOf({m}, "f32") + "\n";
}

/// `from`, a value per row, at every column.
std::string spread(const std::string &from, const std::string &to, int64_t m,
                   int64_t n) {
  return to + " = repro.broadcast " + from +
         " dims [0] : " + tensorOf({m}, "f32") + " to " +
         tensorOf({m, n}, "f32") + "\n";
}

/// A function that is one kernel.
std::string kernelOf(const std::vector<std::string> &inputs,
                     const std::string &body, const std::string &yields,
                     const std::string &results) {
  std::string parameters, arguments;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string comma = i ? ", " : "", n = std::to_string(i);
    parameters += comma + "%x" + n + ": " + inputs[i];
    arguments += comma + "%a" + n + " = %x" + n + " : " + inputs[i];
  }
  const auto count = 1 + std::count(yields.begin(), yields.end(), ',');
  const std::string of = count > 1 ? ":" + std::to_string(count) : "";
  std::string returned;
  for (int64_t i = 0; i < count; ++i)
    returned +=
        (i ? ", %y" : "%y") + (of.empty() ? "" : "#" + std::to_string(i));
  return "func.func @f(" + parameters + ") -> (" + results + ") {\n%y" + of +
         " = repro.kernel \"k\" (" + arguments + ") -> (" + results + ") {\n" +
         body + "repro.yield " + yields + " : " + results + "\n}\nreturn " +
         returned + " : " + results + "\n}";
}

std::string softmaxOf(int64_t m, int64_t n) {
  const std::string full = tensorOf({m, n}, "f32");
  return kernelOf(
      {full},
      reduction("max", "%a0", "%m", m, n) + spread("%m", "%mb", m, n) +
          "%d = repro.sub %a0, %mb : " + full + "\n%e = repro.exp %d : " +
          full + "\n" + reduction("sum", "%e", "%s", m, n) +
          spread("%s", "%sb", m, n) + "%r = repro.div %e, %sb : " + full + "\n",
      "%r", full);
}

/// (x - mean) / deviation * gamma, and both of them; the mean of a second
/// input goes along in the first walk.
std::string normOf(int64_t m, int64_t n) {
  const std::string full = tensorOf({m, n}, "f32"), row = tensorOf({m}, "f32"),
                    column = tensorOf({n}, "f32");
  return kernelOf(
      {full, column, full, row},
      reduction("sum", "%a0", "%s", m, n) +
          reduction("sum", "%a2", "%u", m, n) +
          "%c = repro.constant dense<0.01> : " + row +
          "\n%mean = repro.mul %s, %c : " + row + "\n" +
          spread("%mean", "%b", m, n) + "%d = repro.sub %a0, %b : " + full +
          "\n%q = repro.mul %d, %d : " + full + "\n" +
          reduction("sum", "%q", "%v", m, n) +
          "%w = repro.add %v, %a3 : " + row + "\n%t = repro.sqrt %w : " + row +
          "\n" + spread("%t", "%tb", m, n) +
          "%g = repro.broadcast %a1 dims [1] : " + column + " to " + full +
          "\n%o = repro.div %d, %tb : " + full + "\n%r = repro.mul %o, %g : " +
          full + "\n%z = repro.add %mean, %u : " + row + "\n",
      "%r, %t, %z", full + ", " + row + ", " + row);
}

TEST(RowSchedule, Softmax) {
  for (int64_t n : {5, 10, 64, 128, 259, 768, 1024, 1500, 4096, 20000})
    expectBits(softmaxOf(n > 4096 ? 1 : 5, n), "rows", {75, 90});
  expectBits(softmaxOf(600, 36), "rows");
}

TEST(RowSchedule, Norms) {
  for (int64_t n : {7, 32, 96, 100, 768, 1024, 1027, 3072, 17000})
    expectBits(normOf(n > 4096 ? 2 : 9, n), "rows", {80});
}

// Rows in shared memory, whose elements are where their threads have them: of
// one unit with 8, 16 and 32 threads, of whole and partial steps, of several
// units; fewer rows than a block has. On sm_75 with few copies of long code.
TEST(RowSchedule, StagedRows) {
  for (int64_t n :
       {33, 40, 100, 256, 259, 500, 516, 768, 1023, 1024, 1025, 2100, 3004})
    expectBits(softmaxOf(n == 40 ? 150 : 5, n), "rows", {75, 90}, kStaged);
  for (int64_t n : {96, 100, 258, 1024, 1027, 3072})
    expectBits(normOf(9, n), "rows", {80, 86}, kStaged);
}

// A walk stores the results that it is the first to know; later walks need some
// of them.
TEST(RowSchedule, ResultsOfEarlierWalks) {
  for (int64_t n : {100, 1027, 3072}) {
    const int64_t m = 3;
    const std::string full = tensorOf({m, n}, "f32"),
                      row = tensorOf({m}, "f32");
    const std::string text = kernelOf(
        {full, full},
        "%n = repro.mul %a0, %a1 : " + full + "\n" +
            reduction("max", "%n", "%m", m, n) + spread("%m", "%mb", m, n) +
            "%d = repro.sub %n, %mb : " + full + "\n%e = repro.exp %d : " +
            full + "\n" + reduction("sum", "%e", "%s", m, n) +
            spread("%s", "%sb", m, n) + "%r = repro.div %e, %sb : " + full +
            "\n%k = repro.compare lt %a0, %a1 : " + full + "\n",
        "%n, %e, %r, %k, %s, %a1",
        full + ", " + full + ", " + full + ", " + tensorOf({m, n}, "i1") +
            ", " + row + ", " + full);
    for (const std::string &options :
         {std::string(), kStaged, std::string("{hold = false, stage = false}")})
      expectBits(text, "rows", {75, 90}, options);
  }
}

// Rows that do not fit in registers are staged if a block may have that much
// shared memory; else their elements are computed in each pass.
TEST(RowSchedule, LongRows) {
  EXPECT_GT(expectBits(softmaxOf(2, 50257), "rows", {90}), 4u * 50257);
  EXPECT_EQ(expectBits(softmaxOf(2, 50257), "rows", {75}), 0u);
  EXPECT_GT(expectBits(softmaxOf(1, 20000), "rows", {86}), 4u * 20000);
  EXPECT_EQ(expectBits(softmaxOf(1, 20000), "rows", {86}, "{stage = false}"),
            0u);
  // More than any block may have.
  EXPECT_EQ(expectBits(softmaxOf(1, 60000), "rows", {90}), 0u);
}

// Steps are not written out where each of them is long.
TEST(RowSchedule, SizeOfCode) {
  for (int64_t n : {256, 768, 1024, 4096, 50257})
    for (int sm : {75, 86, 89, 120}) {
      Program program(softmaxOf(200, n));
      EXPECT_LT(testing::Compiled(program, sm).ptx.size(), 40u << 10)
          << n << " columns on sm_" << sm;
    }
}

// Predicates, words and numbers of 8 bytes in one stage.
TEST(RowSchedule, StagedTypes) {
  for (int64_t n : {100, 259, 1100}) {
    const int64_t m = 6;
    const std::string full = tensorOf({m, n}, "f32"),
                      wide = tensorOf({m, n}, "f64"),
                      mask = tensorOf({m, n}, "i1");
    expectBits(
        kernelOf(
            {full, wide, mask},
            "%d = repro.div %a1, %a1 : " + wide +
                "\n%c = repro.convert %d : " + wide + " to " + full +
                "\n%p = repro.select %a2, %a0, %c : " + full + "\n" +
                reduction("sum", "%p", "%s", m, n) + spread("%s", "%sb", m, n) +
                "%e = repro.select %a2, %sb, %c : " + full + "\n" +
                reduction("max", "%e", "%t", m, n) + spread("%t", "%tb", m, n) +
                "%r = repro.add %tb, %p : " + full +
                "\n%w = repro.convert %r : " + full + " to " + wide +
                "\n%v = repro.add %w, %d : " + wide + "\n",
            "%r, %v", full + ", " + wide),
        "rows", {90}, kStaged);
  }
}

// -log softmax at a label, which may be out of range: one value per row, read
// from memory.
TEST(RowSchedule, CrossEntropy) {
  for (int64_t n : {10, 1000, 1100})
    for (const std::string &options : {std::string(), kStaged}) {
      const int64_t m = 6;
      const std::string full = tensorOf({m, n}, "f32"),
                        row = tensorOf({m}, "f32"),
                        labels = tensorOf({m}, "i32");
      expectBits(
          kernelOf({full, labels},
                   reduction("max", "%a0", "%m", m, n) +
                       spread("%m", "%mb", m, n) +
                       "%d = repro.sub %a0, %mb : " + full +
                       "\n%e = repro.exp %d : " + full + "\n" +
                       reduction("sum", "%e", "%s", m, n) +
                       "%l = repro.log %s : " + row +
                       "\n%p = repro.gather %a0[%a1] maps "
                       "[affine_map<(d0)[s0] -> (d0, s0)>, affine_map<(d0) -> "
                       "(d0)>] bounds fault : " +
                       full + ", " + labels + " -> " + row +
                       "\n%q = repro.sub %p, %m : " + row +
                       "\n%r = repro.sub %l, %q : " + row + "\n",
                   "%r", row),
          "rows", {90}, options);
    }
}

// Random words, positions and reshapes inside of a row.
TEST(RowSchedule, DropoutInARow) {
  for (int64_t n : {36, 260, 1060}) {
    const int64_t m = 8;
    const std::string full = tensorOf({m, n}, "f32"),
                      word = tensorOf({m, n}, "ui32"),
                      split = tensorOf({2, 4, n / 4, 4}, "ui32"),
                      key = "tensor<2xui32>", one = "tensor<ui32>";
    expectBits(
        kernelOf({full, key, one},
                 "%b = repro.random_bits %a1, %a2, %a2 stream 3 : " + split +
                     "\n%c = repro.reshape %b : " + split + " to " + word +
                     "\n%i = repro.iota dim 1 : " + word +
                     "\n%j = repro.add %c, %i : " + word +
                     "\n%k = repro.convert %j : " + word + " to " + full +
                     "\n%x = repro.mul %k, %a0 : " + full + "\n" +
                     reduction("sum", "%x", "%s", m, n) +
                     spread("%s", "%sb", m, n) +
                     "%r = repro.div %x, %sb : " + full + "\n",
                 "%r, %j", full + ", " + word),
        "rows");
  }
}

TEST(RowSchedule, AllTargets) {
  const std::vector<int> targets = testing::allTargets();
  expectBits(rowsOf("sum", 3, 1000, "lanes<32>"), "rows", targets);
  expectBits(rowsOf("sum", 3, 5000, kBlocked), "rows", targets);
}

TEST(RowSchedule, ExactSumsAreOthers) {
  expectBits(rowsOf("sum", 3, 20, "exact"), "pointwise");
}

// g4: a product of one factor is arithmetic; the factor, a result too, is not.
TEST(RowSchedule, AnOperandKeepsItsPayload) {
  Program program(R"(
    func.func @f(%a: tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>) {
      %r:2 = repro.kernel "k" (%x = %a : tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>) {
        %p = repro.reduce product %x domain <[3], reduce [0]>
          maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]
          order lanes<32> : tensor<3xf32> -> tensor<f32>
        repro.yield %p, %x : tensor<f32>, tensor<3xf32>
      }
      return %r#0, %r#1 : tensor<f32>, tensor<3xf32>
    })");
  Tensor x(ElementType::F32, {3});
  const uint32_t bits[] = {0x7FA46195, 0x3FC00000, 0xFF801234};
  std::memcpy(x.data(), bits, sizeof bits);
  testing::Compiled compiled(program, 75);
  EXPECT_EQ(compiled.takenBy, std::vector<std::string>{"rows"});
  std::vector<Tensor> actual = compiled.run({x});
  ASSERT_EQ(actual.size(), 2u);
  EXPECT_EQ(testing::firstDifference(x, actual[1]), "");
}

// Values without elements count no instructions.
TEST(RowSchedule, GathersFromNothing) {
  const std::string rows =
      "domain <[9, 16, 5], reduce [2]> maps [affine_map<(d0, d1, d2) -> (d0, "
      "d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] : tensor<9x16x5xi8> -> "
      "tensor<9x16xi8>\n";
  expectBits("func.func @f(%a: tensor<37x16x5x0xi8>, %b: tensor<9xi64>) -> "
             "(tensor<9x16xi8>, tensor<9x16x5xi8>) {\n"
             "%k:2 = repro.kernel \"k\" (%x = %a : tensor<37x16x5x0xi8>, %i = "
             "%b : tensor<9xi64>) -> (tensor<9x16xi8>, tensor<9x16x5xi8>) {\n"
             "%c = repro.concat %x dim 2 : (tensor<37x16x5x0xi8>) -> "
             "tensor<37x16x5x0xi8>\n"
             "%g = repro.gather %c[%i] maps [affine_map<(d0, d1, d2)[s0] -> "
             "(s0, d1 + 1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0)>] bounds "
             "zero : tensor<37x16x5x0xi8>, tensor<9xi64> -> tensor<9x16x5xi8>\n"
             "%r = repro.reduce or %g " +
                 rows +
                 "%w = repro.broadcast %r dims [0, 1] : tensor<9x16xi8> to "
                 "tensor<9x16x5xi8>\n"
                 "%m = repro.mul %g, %w : tensor<9x16x5xi8>\n"
                 "%t = repro.reduce max %m " +
                 rows +
                 "%u = repro.broadcast %t dims [0, 1] : tensor<9x16xi8> to "
                 "tensor<9x16x5xi8>\n"
                 "%y = repro.mul %m, %u : tensor<9x16x5xi8>\n"
                 "repro.yield %t, %y : tensor<9x16xi8>, tensor<9x16x5xi8>\n}\n"
                 "return %k#0, %k#1 : tensor<9x16xi8>, tensor<9x16x5xi8>\n}",
             "rows", {75, 90});
}

} // namespace
} // namespace gensyn::gpu
