// Reductions over whole dimensions in vectors of every width against the
// reference: short and long rows, blocks of blocks, fused producers, columns.

#include "RowReduceSchedule.h"
#include "LaneEmitter.h"
#include "RowReduceOrder.h"
#include "RunProgram.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::cpu {
namespace {

repro::KernelOp lastKernel(ModuleOp module) {
  repro::KernelOp kernel;
  module.walk([&](repro::KernelOp op) { kernel = op; });
  return kernel;
}

void expectLanes(const std::string &text, uint32_t seed = 1) {
  SCOPED_TRACE(text);
  testing::Program program(text);
  OwningOpRef<ModuleOp> kernels = program.formKernels();
  std::vector<std::vector<Tensor>> cases = {program.makeInputs(seed),
                                            program.makeFiniteInputs(seed)};
  for (const Target *target : testing::getRunnableTargets())
    for (int64_t lanes : {0, 4, 8, 16}) {
      SCOPED_TRACE(lanes);
      std::unique_ptr<Schedule> schedule = createRowReduceSchedule(lanes);
      ASSERT_TRUE(schedule->match(lastKernel(*kernels), *target));
      testing::expectBits(program, std::move(schedule), *target, cases);
    }
}

/// A reduction of a matrix over its rows.
std::string rowsOf(const std::string &kind, int64_t rows, int64_t points,
                   const std::string &order) {
  std::string m = std::to_string(rows), n = std::to_string(points);
  std::string in = "tensor<" + m + "x" + n + "xf32>",
              out = "tensor<" + m + "xf32>";
  return "func.func @f(%x: " + in + ") -> " + out + " {\n  %y = repro.reduce " +
         kind + " %x domain <[" + m + ", " + n +
         "], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, "
         "affine_map<(d0, d1) -> (d0)>]" +
         (order.empty() ? "" : " order " + order) + " : " + in + " -> " + out +
         "\n  return %y : " + out + "\n}";
}

TEST(RowReduceSchedule, RowsOfEveryLength) {
  for (int64_t points : {1, 3, 10, 31, 32, 33, 77, 160})
    for (const char *kind : {"sum", "max"})
      expectLanes(rowsOf(kind, 5, points,
                         std::string(kind) == "sum" ? "lanes<32>" : ""),
                  static_cast<uint32_t>(points));
  expectLanes(rowsOf("product", 3, 70, "lanes<64>"));
  expectLanes(rowsOf("min", 300, 40, ""));
}

TEST(RowReduceSchedule, Blocks) {
  expectLanes(rowsOf("sum", 2, 2500, "blocked<1024, lanes<32>, lanes<32>>"));
  expectLanes(rowsOf("sum", 2, 640, "blocked<64, lanes<8>, sequential>"));
  expectLanes(
      rowsOf("sum", 1, 700,
             "blocked<300, blocked<50, lanes<16>, lanes<4>>, lanes<4>>"));
}

// An exact sum has no lanes, so the baseline computes columns of one.
TEST(RowReduceSchedule, ExactColumns) {
  testing::expectBits(R"(func.func @f(%x: tensor<7x21xf32>) -> tensor<21xf32> {
    %s = repro.reduce sum %x domain <[7, 21], reduce [0]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]
      order exact : tensor<7x21xf32> -> tensor<21xf32>
    return %s : tensor<21xf32>
  })");
}

// exp(x - m), as a softmax sums it, with m a value per row.
TEST(RowReduceSchedule, FusedProducers) {
  expectLanes(
      R"(func.func @f(%x: tensor<6x37xf32>, %m: tensor<6xf32>) -> tensor<6xf32> {
    %b = repro.broadcast %m dims [0] : tensor<6xf32> to tensor<6x37xf32>
    %d = repro.sub %x, %b : tensor<6x37xf32>
    %e = repro.exp %d : tensor<6x37xf32>
    %s = repro.reduce sum %e domain <[6, 37], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
      order lanes<32> : tensor<6x37xf32> -> tensor<6xf32>
    return %s : tensor<6xf32>
  })");
}

// Images per channel, as the gradient of a bias sums them; then the batch.
TEST(RowReduceSchedule, SeveralDimensionsAndColumns) {
  expectLanes(R"(func.func @f(%x: tensor<3x5x4x9xf32>) -> tensor<3x5xf32> {
    %s = repro.reduce sum %x domain <[3, 5, 4, 9], reduce [2, 3]>
      maps [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>]
      order lanes<32> : tensor<3x5x4x9xf32> -> tensor<3x5xf32>
    return %s : tensor<3x5xf32>
  })");
  expectLanes(R"(func.func @f(%x: tensor<70x21xf32>) -> tensor<21xf32> {
    %s = repro.reduce sum %x domain <[70, 21], reduce [0]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]
      order lanes<32> : tensor<70x21xf32> -> tensor<21xf32>
    return %s : tensor<21xf32>
  })");
  expectLanes(R"(func.func @f(%x: tensor<2x9x3x6xf32>) -> tensor<2x3x6xf32> {
    %n = repro.abs %x : tensor<2x9x3x6xf32>
    %s = repro.reduce max %n domain <[2, 9, 3, 6], reduce [1]>
      maps [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>]
      : tensor<2x9x3x6xf32> -> tensor<2x3x6xf32>
    return %s : tensor<2x3x6xf32>
  })");
}

// Rows that are shorter than the lanes, behind extents of 1 that a reshape adds
// and drops.
TEST(RowReduceSchedule, ExtentsOfOneMoveNoLane) {
  expectLanes(
      R"(func.func @f(%x: tensor<1x4xf32>, %w: tensor<4xf32>) -> tensor<f32> {
    %n = repro.abs %x : tensor<1x4xf32>
    %r = repro.reshape %n : tensor<1x4xf32> to tensor<4xf32>
    %p = repro.mul %r, %w : tensor<4xf32>
    %s = repro.reduce sum %p domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]
      order lanes<32> : tensor<4xf32> -> tensor<f32>
    return %s : tensor<f32>
  })");
  expectLanes(R"(func.func @f(%x: tensor<3x1x5xf32>) -> tensor<3xf32> {
    %n = repro.abs %x : tensor<3x1x5xf32>
    %r = repro.reshape %n : tensor<3x1x5xf32> to tensor<3x5xf32>
    %s = repro.reduce sum %r domain <[3, 5], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
      order lanes<32> : tensor<3x5xf32> -> tensor<3xf32>
    return %s : tensor<3xf32>
  })");
}

/// A sum, in `order`, of the rows of a concat of three tensors along their last
/// dimension, each of `parts` columns of which a slice takes every other row.
std::string rowsOfConcat(ArrayRef<int64_t> parts, const std::string &order) {
  std::string arguments, body, names, types;
  int64_t columns = 0;
  for (auto [number, part] : llvm::enumerate(parts)) {
    const std::string n = std::to_string(number), c = std::to_string(part);
    const std::string from = "tensor<7x" + c + "xf32>",
                      to = "tensor<3x" + c + "xf32>";
    arguments += ", %x" + n + ": " + from;
    body += "  %s" + n + " = repro.slice %x" + n + " start [1, 0] limit [7, " +
            c + "] stride [2, 1] : " + from + " to " + to + "\n";
    names += (number ? ", %s" : "%s") + n;
    types += (number ? ", " : "") + to;
    columns += part;
  }
  const std::string all = std::to_string(columns),
                    in = "tensor<3x" + all + "xf32>";
  return "func.func @f(" + arguments.substr(2) + ") -> tensor<3xf32> {\n" +
         body + "  %c = repro.concat " + names + " dim 1 : (" + types +
         ") -> " + in + "\n  %n = repro.neg %c : " + in +
         "\n  %y = repro.reduce sum %n domain <[3, " + all +
         "], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, "
         "affine_map<(d0, d1) -> (d0)>] order " +
         order + " : " + in +
         " -> tensor<3xf32>\n  return %y : tensor<3xf32>\n}";
}

// A vector reads one operand, by a branch: no border is inside of one. Columns
// and rows whose other dimensions are concatenated have none at all.
TEST(RowReduceSchedule, Concats) {
  expectLanes(rowsOfConcat({32, 96, 48}, "lanes<32>"));
  expectLanes(rowsOfConcat({4, 8, 20}, "lanes<32>"));
  expectLanes(rowsOfConcat({16, 40, 8, 7}, "blocked<24, lanes<8>, lanes<4>>"));
  expectLanes(
      R"(func.func @f(%x: tensor<2x3x7x5xf32>, %y: tensor<2x6x7x5xf32>, %z: tensor<2x1x7x5xf32>) -> (tensor<2x10xf32>) {
    %c = repro.concat %x, %y, %z dim 1 : (tensor<2x3x7x5xf32>, tensor<2x6x7x5xf32>, tensor<2x1x7x5xf32>) -> tensor<2x10x7x5xf32>
    %s = repro.reduce sum %c domain <[2, 10, 7, 5], reduce [2, 3]>
      maps [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>]
      order blocked<9, lanes<8>, lanes<4>> : tensor<2x10x7x5xf32> -> tensor<2x10xf32>
    return %s : tensor<2x10xf32>
  })");
  expectLanes(
      R"(func.func @f(%x: tensor<9x21xf32>, %y: tensor<14x21xf32>) -> tensor<21xf32> {
    %c = repro.concat %x, %y dim 0 : (tensor<9x21xf32>, tensor<14x21xf32>) -> tensor<23x21xf32>
    %s = repro.reduce sum %c domain <[23, 21], reduce [0]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]
      order lanes<32> : tensor<23x21xf32> -> tensor<21xf32>
    return %s : tensor<21xf32>
  })");
}

// Rows of a table, and every other element of a row.
TEST(RowReduceSchedule, OtherMovement) {
  expectLanes(
      R"(func.func @f(%t: tensor<6x37xf32>, %i: tensor<9xi64>) -> tensor<9xf32> {
    %g = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds zero : tensor<6x37xf32>, tensor<9xi64> -> tensor<9x37xf32>
    %s = repro.reduce sum %g domain <[9, 37], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
      order lanes<32> : tensor<9x37xf32> -> tensor<9xf32>
    return %s : tensor<9xf32>
  })");
  expectLanes(R"(func.func @f(%x: tensor<3x75xf32>) -> tensor<3xf32> {
    %r = repro.reverse %x dims [0, 1] : tensor<3x75xf32>
    %p = repro.slice %r start [0, 1] limit [3, 75] stride [1, 2] : tensor<3x75xf32> to tensor<3x37xf32>
    %s = repro.reduce max %p domain <[3, 37], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
      : tensor<3x37xf32> -> tensor<3xf32>
    return %s : tensor<3xf32>
  })");
}

TEST(RowReduceSchedule, LeavesTheRestToTheBaseline) {
  // A window, an order without lanes, and lanes that differ.
  const std::string window =
      R"(func.func @f(%x: tensor<4x8xf32>) -> tensor<4x4xf32> {
    %s = repro.reduce max %x domain <[4, 4, 2], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d1 * 2 + d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      : tensor<4x8xf32> -> tensor<4x4xf32>
    return %s : tensor<4x4xf32>
  })";
  const std::string padded =
      R"(func.func @f(%x: tensor<4x8xf32>, %z: tensor<f32>) -> tensor<4xf32> {
    %p = repro.pad %x, %z low [0, 1] high [0, 0] interior [0, 0] : tensor<4x8xf32>, tensor<f32> to tensor<4x9xf32>
    %s = repro.reduce sum %p domain <[4, 9], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
      order lanes<32> : tensor<4x9xf32> -> tensor<4xf32>
    return %s : tensor<4xf32>
  })";
  for (const std::string &text :
       {window, padded, rowsOf("sum", 4, 9, "sequential"),
        rowsOfConcat({16, 6, 2}, "lanes<32>"),
        rowsOfConcat({16, 8}, "blocked<6, lanes<4>, sequential>")}) {
    testing::Program program(text);
    OwningOpRef<ModuleOp> kernels = program.formKernels();
    EXPECT_FALSE(createRowReduceSchedule()->match(
        lastKernel(*kernels), *gensyn::machine::findCpu("x86-64-v4")))
        << text;
  }
}

TEST(RowReduceSchedule, ScratchHoldsResultsOfBlocks) {
  Order lanes = Order::lanes(32);
  EXPECT_EQ(rowScratch(lanes, 5000), 0);
  EXPECT_EQ(rowScratch(Order::blocked(1024, lanes, Order::sequential()), 5000),
            5);
  EXPECT_EQ(
      rowScratch(Order::blocked(1024, lanes, Order::blocked(2, lanes, lanes)),
                 5000),
      5 + 3);
}

// Lanes past the end of a block hold zeros, whose quotient is NaN.
TEST(RowReduceSchedule, QuotientsInShortBlocks) {
  for (const char *order :
       {"lanes<8>", "blocked<2, lanes<8>, sequential>",
        "blocked<16, lanes<16>, sequential>",
        "blocked<2, blocked<17, lanes<32>, lanes<8>>, sequential>"}) {
    SCOPED_TRACE(order);
    testing::Program program(
        std::string("func.func @f(%x: tensor<3x6x37xf32>, "
                    "%y: tensor<3x6x37xf32>) -> tensor<3xf32> {\n"
                    "  %q = repro.div %x, %y : tensor<3x6x37xf32>\n"
                    "  %r = repro.reduce sum %q domain <[3, 6, 37], reduce "
                    "[1, 2]> maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, "
                    "affine_map<(d0, d1, d2) -> (d0)>] order ") +
        order +
        " : tensor<3x6x37xf32> -> tensor<3xf32>\n"
        "  return %r : tensor<3xf32>\n}\n");
    std::vector<Tensor> inputs = program.makeFiniteInputs(1);
    for (int64_t i = 0; i < inputs[1].numElements(); ++i)
      if (inputs[1].as<float>()[i] == 0)
        inputs[1].as<float>()[i] = 1;
    testing::expectBitsOnTargets(program, inputs);
  }
}

} // namespace
} // namespace gensyn::cpu
