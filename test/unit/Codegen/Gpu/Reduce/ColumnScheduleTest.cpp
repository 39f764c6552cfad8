// Reductions over columns on the simulator against the reference: lengths,
// widths, kinds, orders, types, several sums in a kernel, faults.

#include "../RunOnSimulator.h"
#include "ProgramText.h"

#include <gtest/gtest.h>
#include <random>

namespace gensyn::gpu {
namespace {

using cpu::testing::tensorOf;
using testing::Program;

/// Expects the schedule to take the last kernel, and bits equal to the
/// reference's, with ordinary and special inputs; the number of faults.
size_t expectColumnBits(const std::string &text,
                        const std::string &schedule = "columns",
                        llvm::ArrayRef<int> targets = {90},
                        const std::string &options = "") {
  SCOPED_TRACE(text);
  Program program(text);
  const std::vector<std::vector<Tensor>> cases = {program.makeInputs(1),
                                                  program.makeFiniteInputs(1)};
  size_t faults = 0;
  for (int sm : targets) {
    SCOPED_TRACE("sm_" + std::to_string(sm));
    testing::Compiled compiled(program, sm, options);
    if (compiled.takenBy.empty()) {
      ADD_FAILURE() << "no kernel";
      return 0;
    }
    EXPECT_EQ(compiled.takenBy.back(), schedule);
    for (const std::vector<Tensor> &inputs : cases) {
      testing::expectBits(program, compiled, inputs);
      faults += program.faults.size();
    }
  }
  return faults;
}

/// `to` is `from` reduced over the points of its columns.
std::string overPoints(const std::string &kind, const std::string &from,
                       const std::string &to, int64_t points, int64_t columns,
                       const std::string &order,
                       const std::string &element = "f32") {
  return to + " = repro.reduce " + kind + " " + from + " domain <[" +
         std::to_string(points) + ", " + std::to_string(columns) +
         "], reduce [0]> maps [affine_map<(d0, d1) -> (d0, d1)>, "
         "affine_map<(d0, d1) -> (d1)>]" +
         (order.empty() ? "" : " order " + order) + " : " +
         tensorOf({points, columns}, element) + " -> " +
         tensorOf({columns}, element) + "\n";
}

/// One reduction of a matrix over its columns.
std::string columnsOf(const std::string &kind, int64_t points, int64_t columns,
                      const std::string &order,
                      const std::string &element = "f32") {
  const std::string out = tensorOf({columns}, element);
  return "func.func @f(%x: " + tensorOf({points, columns}, element) + ") -> " +
         out + " {\n" +
         overPoints(kind, "%x", "%y", points, columns, order, element) +
         "return %y : " + out + "\n}";
}

const std::string kInBlocks = "blocked<1024, lanes<32>, lanes<32>>";

TEST(ColumnSchedule, LengthsAndWidths) {
  for (int64_t points : {2, 3, 8, 9, 31, 32, 33, 77, 128, 300, 1024})
    for (int64_t columns : {2, 3, 10, 32, 33, 300})
      if (points * columns <= 20000)
        expectColumnBits(columnsOf("sum", points, columns, "lanes<32>"));
  expectColumnBits(columnsOf("max", 70, 40, ""));
  // Blocks enough for the device: fewer threads for a column.
  expectColumnBits(columnsOf("sum", 19, 9000, "lanes<32>"));
  // One column is a row.
  expectColumnBits(columnsOf("sum", 100, 1, "lanes<32>"), "rows");
}

// Tiles and threads of a column as a kernel's attribute has them.
TEST(ColumnSchedule, WidthsAndShares) {
  for (const char *options :
       {"{width = 8, share = 32}", "{width = 16, share = 32, unrolled = 32}",
        "{width = 32, share = 8, unrolled = 2}", "{width = 4, share = 1}"})
    for (int64_t points : {33, 300})
      for (const char *order : {"lanes<32>", "lanes<8>"})
        expectColumnBits(columnsOf("sum", points, 40, order), "columns", {90},
                         options);
  // No field of this schedule.
  expectColumnBits(columnsOf("sum", 40, 40, "lanes<32>"), "", {90},
                   "{hold = false}");
}

TEST(ColumnSchedule, LengthsOfManyBlocks) {
  for (int64_t points : {1025, 2048, 5000})
    for (int64_t columns : {3, 40})
      expectColumnBits(columnsOf("sum", points, columns, kInBlocks));
  expectColumnBits(columnsOf("min", 5000, 3, ""));
  expectColumnBits(columnsOf("sum", 70000, 2, kInBlocks));
  // Blocks of blocks: a launch for each level.
  expectColumnBits(
      columnsOf("sum", 7000, 5,
                "blocked<64, lanes<32>, blocked<8, lanes<4>, sequential>>"));
  // A block that ends with a step that is none of all lanes.
  expectColumnBits(
      columnsOf("sum", 800, 5, "blocked<100, lanes<32>, sequential>"));
  expectColumnBits(
      columnsOf("sum", 839, 5, "blocked<100, lanes<16>, lanes<2>>"));
  // A single block.
  expectColumnBits(columnsOf("sum", 50, 5, "blocked<64, lanes<8>, lanes<4>>"));
}

/// One reduction over the middle dimension.
std::string middleOf(const std::string &kind, int64_t outer, int64_t points,
                     int64_t inner, const std::string &order,
                     const std::string &element = "f32") {
  const std::string in = tensorOf({outer, points, inner}, element),
                    out = tensorOf({outer, inner}, element);
  return "func.func @f(%x: " + in + ") -> " + out + " {\n  %y = repro.reduce " +
         kind + " %x domain <[" + std::to_string(outer) + ", " +
         std::to_string(points) + ", " + std::to_string(inner) +
         "], reduce [1]> maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, "
         "affine_map<(d0, d1, d2) -> (d0, d2)>]" +
         (order.empty() ? "" : " order " + order) + " : " + in + " -> " + out +
         "\n  return %y : " + out + "\n}";
}

TEST(ColumnSchedule, MiddleDimensions) {
  for (int64_t points : {2, 9, 64, 257})
    for (int64_t inner : {2, 7, 49})
      expectColumnBits(middleOf("sum", 3, points, inner, "lanes<32>"));
  expectColumnBits(middleOf("max", 5, 30, 9, ""));
  expectColumnBits(middleOf("sum", 2, 2100, 5, kInBlocks));
  expectColumnBits(middleOf("or", 4, 40, 5, "", "i1"));
  expectColumnBits(middleOf("sum", 4, 40, 5, "lanes<32>", "f64"));
}

TEST(ColumnSchedule, KindsOrdersAndTypes) {
  expectColumnBits(columnsOf("product", 70, 5, "lanes<32>"));
  expectColumnBits(columnsOf("min", 70, 5, ""));
  for (const char *order :
       {"sequential", "lanes<2>", "lanes<8>", "lanes<64>", "lanes<256>",
        "lanes<1024>", "blocked<96, sequential, sequential>",
        "blocked<256, lanes<128>, lanes<2>>"})
    expectColumnBits(columnsOf("sum", 259, 6, order));
  expectColumnBits(columnsOf("sum", 2100, 3, "lanes<1024>"));
  expectColumnBits(columnsOf("sum", 100, 3, "lanes<32>", "f64"));
  expectColumnBits(columnsOf("max", 2100, 3, "", "f64"));
  for (const char *type : {"i32", "ui32", "i64", "ui8", "i16"}) {
    expectColumnBits(columnsOf("sum", 100, 5, "", type));
    expectColumnBits(columnsOf("max", 1100, 3, "", type));
  }
  expectColumnBits(columnsOf("and", 3, 40, "", "i1"));
  expectColumnBits(columnsOf("or", 2000, 3, "", "i1"));
  expectColumnBits(columnsOf("sum", 20, 3, "exact"), "pointwise");
}

/// Gradients of a scale and a bias: sums of products and of the factor, over
/// two leading dimensions, with a value for each row and each column; what
/// follows needs both.
TEST(ColumnSchedule, SeveralSumsInAKernel) {
  for (int64_t batch : {1, 10, 300}) {
    const int64_t points = 7 * batch, columns = 36;
    const std::string full = tensorOf({7, batch, columns}),
                      flat = tensorOf({points, columns}),
                      row = tensorOf({points}), column = tensorOf({columns}),
                      order = points <= 1024 ? "lanes<32>" : kInBlocks;
    const std::string inputs =
        "%a: " + full + ", %b: " + flat + ", %r: " + row + ", %c: " + column;
    const std::string results = "(" + column + ", " + column + ")";
    const std::string three =
        " domain <[7, " + std::to_string(batch) + ", " +
        std::to_string(columns) +
        "], reduce [0, 1]> maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, "
        "affine_map<(d0, d1, d2) -> (d2)>] order " +
        order + " : " + full + " -> " + column + "\n";
    expectColumnBits(
        "func.func @f(" + inputs + ") -> " + results +
            " {\n%y:2 = repro.kernel \"k\" (%x0 = %a : " + full +
            ", %x1 = %b : " + flat + ", %x2 = %r : " + row +
            ", %x3 = %c : " + column + ") -> " + results +
            " {\n%rb = repro.broadcast %x2 dims [0] : " + row + " to " + flat +
            "\n%cb = repro.broadcast %x3 dims [1] : " + column + " to " + flat +
            "\n%d = repro.sub %x1, %cb : " + flat +
            "\n%e = repro.mul %d, %rb : " + flat +
            "\n%f = repro.reshape %e : " + flat + " to " + full +
            "\n%g = repro.mul %f, %x0 : " + full +
            "\n%s = repro.reduce sum %g" + three + "%t = repro.reduce sum %x0" +
            three + overPoints("max", "%x1", "%m", points, columns, "") +
            "%u = repro.add %s, %x3 : " + column +
            "\n%v = repro.mul %t, %m : " + column +
            "\n%w = repro.sub %v, %s : " + column +
            "\nrepro.yield %u, %w : " + column + ", " + column +
            "\n}\nreturn %y#0, %y#1 : " + column + ", " + column + "\n}",
        "columns", {75, 90});
  }
}

/// `count` sums of an operand times as many others, in a kernel.
std::string manySums(int64_t count, int64_t points, int64_t columns,
                     const std::string &order,
                     const std::string &element = "f32") {
  const std::string full = tensorOf({points, columns}, element),
                    column = tensorOf({columns}, element);
  std::string heads, arguments, body, sums, types, results;
  for (int64_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i), comma = i ? ", " : "";
    heads += ", %b" + n + ": " + full;
    arguments += ", %y" + n + " = %b" + n + " : " + full;
    body +=
        "%p" + n + " = repro.mul %x, %y" + n + " : " + full + "\n" +
        overPoints("sum", "%p" + n, "%s" + n, points, columns, order, element);
    sums += comma + "%s" + n;
    types += comma + column;
    results += comma + "%r#" + n;
  }
  return "func.func @f(%a: " + full + heads + ") -> (" + types +
         ") {\n%r:" + std::to_string(count) +
         " = repro.kernel \"k\" (%x = %a : " + full + arguments + ") -> (" +
         types + ") {\n" + body + "repro.yield " + sums + " : " + types +
         "\n}\nreturn " + results + " : " + types + "\n}";
}

// More sums than have room in shared memory at once are joined in rounds; all
// are in registers.
TEST(ColumnSchedule, RoundsOfManySums) {
  const std::string lanes = "lanes<32>";
  for (int64_t count : {12, 13, 40})
    expectColumnBits(manySums(count, 70, 33, lanes));
  expectColumnBits(manySums(28, 40, 17, lanes), "columns", {75});
  expectColumnBits(manySums(13, 1100, 20, kInBlocks));
  expectColumnBits(manySums(13, 70, 33, lanes, "f64"));
  for (int64_t count : {28, 40}) {
    Program program(manySums(count, 2048, 768, kInBlocks));
    testing::Compiled compiled(program, 90);
    EXPECT_EQ(compiled.ptx.find(".local"), std::string::npos);
    for (const auto &launch : compiled.plan.launches())
      EXPECT_LE(launch.block(0), 512u);
  }
  // There are not enough registers.
  expectColumnBits(manySums(65, 10, 3, lanes), "pointwise");
}

/// Sums in different orders share no walk: whatever takes them keeps both.
TEST(ColumnSchedule, SumsOfDifferentOrdersInAKernel) {
  const int64_t points = 100, columns = 36;
  const std::string full = tensorOf({points, columns}),
                    column = tensorOf({columns});
  const std::string results = "(" + column + ", " + column + ")";
  auto program = [&](const std::string &second) {
    return "func.func @f(%a: " + full + ") -> " + results +
           " {\n%y:2 = repro.kernel \"k\" (%x = %a : " + full + ") -> " +
           results + " {\n" +
           overPoints("sum", "%x", "%s", points, columns, "lanes<32>") +
           overPoints("sum", "%x", "%t", points, columns, second) +
           "repro.yield %s, %t : " + column + ", " + column +
           "\n}\nreturn %y#0, %y#1 : " + column + ", " + column + "\n}";
  };
  expectColumnBits(program("lanes<32>"));
  expectColumnBits(program("lanes<8>"), "pointwise");
}

// A gather out of range in some point of some column.
TEST(ColumnSchedule, Faults) {
  for (int64_t points : {5, 100, 1100}) {
    const std::string full = tensorOf({points, 9}),
                      places = tensorOf({points, 9}, "i32"),
                      table = tensorOf({50}), column = tensorOf({9});
    const size_t faults = expectColumnBits(
        "func.func @f(%a: " + table + ", %b: " + places + ") -> " + column +
        " {\n%y = repro.kernel \"k\" (%x0 = %a : " + table +
        ", %x1 = %b : " + places + ") -> " + column +
        " {\n%p = repro.gather %x0[%x1] maps [affine_map<(d0, d1)[s0] -> "
        "(s0)>, affine_map<(d0, d1) -> (d0, d1)>] bounds fault : " +
        table + ", " + places + " -> " + full + "\n" +
        overPoints("sum", "%p", "%s", points, 9,
                   points <= 1024 ? "lanes<32>" : kInBlocks) +
        "repro.yield %s : " + column + "\n}\nreturn %y : " + column + "\n}");
    EXPECT_GT(faults, 0u);
  }
}

TEST(ColumnSchedule, RandomOrders) {
  std::mt19937 random(7);
  auto upTo = [&](int64_t most) {
    return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
  };
  auto lanes = [&](int64_t most) {
    const int64_t count = int64_t(1) << (upTo(most + 1) - 1);
    return count == 1 ? std::string("sequential")
                      : "lanes<" + std::to_string(count) + ">";
  };
  for (int i = 0; i < 60; ++i) {
    std::string order = lanes(8);
    for (int64_t level = upTo(3); level > 1; --level)
      order = "blocked<" + std::to_string(upTo(90)) + ", " + lanes(7) + ", " +
              order + ">";
    const int64_t points = 1 + upTo(i % 2 ? 700 : 60), columns = 1 + upTo(40);
    expectColumnBits(
        i % 3 ? columnsOf("sum", points, columns, order)
              : middleOf("product", upTo(4), points, columns, order));
  }
}

TEST(ColumnSchedule, AllTargets) {
  const std::vector<int> targets = testing::allTargets();
  expectColumnBits(columnsOf("sum", 100, 10, "lanes<32>"), "columns", targets);
  expectColumnBits(columnsOf("sum", 1100, 3, kInBlocks), "columns", targets);
}

} // namespace
} // namespace gensyn::gpu
