// Prefixes that are walked by a thread, and those that lanes share.

#include "../RunOnSimulator.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::gpu::testing;

namespace {

struct Scan {
  std::string kind, shape, type = "f32";
  int dim = 1;
  std::string order = "";

  std::string text() const {
    const std::string tensor = "tensor<" + shape + "x" + type + ">";
    return "func.func @f(%x: " + tensor + ") -> " + tensor +
           " {\n%y = repro.scan " + kind + " %x dim " + std::to_string(dim) +
           (order.empty() ? "" : " order " + order) + " : " + tensor +
           "\nreturn %y : " + tensor + "\n}";
  }
};

/// Expects the reference's bits of each of the inputs.
void expectScan(const std::string &text,
                const std::vector<std::vector<Tensor>> &inputs,
                const std::string &schedule) {
  SCOPED_TRACE(text);
  Program program(text);
  gpu::testing::Compiled compiled(program, 80, schedule);
  EXPECT_EQ(compiled.takenBy, std::vector<std::string>{"scan"});
  EXPECT_EQ(compiled.ptx.find(".local"), std::string::npos);
  for (const std::vector<Tensor> &input : inputs)
    expectBits(program, compiled, input);
}

void expectScan(const Scan &scan, const std::string &schedule = "") {
  Program program(scan.text());
  // One NaN is all that is left of a long sum: both kinds of elements.
  expectScan(scan.text(), {program.makeFiniteInputs(5), program.makeInputs(6)},
             schedule);
}

const char *const kSequential = "sequential";
const char *const kBlocked = "blocked<24, sequential, sequential>";

// If rows fill the device, a warp has up to 32 of them in shared memory.
TEST(GpuScan, Sequential) {
  for (const char *staged : {"{staged = 2}", "{staged = 8}", "{staged = 32}"}) {
    expectScan({"sum", "45x100", "f32", 1, kSequential}, staged);
    expectScan({"sum", "70x37", "f32", 1, kBlocked}, staged);
    expectScan({"product", "3x1000", "f32", 1, kSequential}, staged);
  }
  for (int64_t extent : {1, 2, 31, 32, 33, 100, 1000}) {
    const std::string columns = "x" + std::to_string(extent);
    expectScan({"sum", "1" + columns, "f32", 1, kSequential});
    expectScan({"product", "3" + columns, "f32", 1, kSequential});
  }
  expectScan({"sum", "45x70", "f32", 1, kSequential});
  expectScan({"sum", "5x2000", "f64", 1, kSequential});
}

// scan_r1: blocks from the identity, joined to the carry before them.
TEST(GpuScan, Blocked) {
  for (int64_t extent : {24, 25, 48, 49, 100, 1000}) {
    const std::string columns = "x" + std::to_string(extent);
    expectScan({"sum", "3" + columns, "f32", 1, kBlocked});
    expectScan({"product", "2" + columns, "f64", 1, kBlocked});
    expectScan({"sum", std::to_string(extent) + "x5", "f32", 0, kBlocked});
  }
  expectScan(
      {"sum", "2x5000", "f32", 1, "blocked<1024, sequential, sequential>"});
  expectScan({"sum", "40x70", "f32", 1, "blocked<1, sequential, sequential>"});
}

// Interleaved rows.
TEST(GpuScan, Dimensions) {
  expectScan({"sum", "33x70", "f32", 0, kSequential});
  expectScan({"product", "2x33x7", "f32", 1, kSequential});
  expectScan({"sum", "3x100x2x5", "f32", 1, kBlocked});
  expectScan({"sum", "200x6", "i32", 0});
  expectScan({"max", "4x300x3", "f32", 1});
  expectScan({"min", "300x3", "f64", 0}, "{block = 7}");
}

// Without an order: parts of a warp, warps, steps, and blocks.
TEST(GpuScan, Lanes) {
  for (int64_t extent : {1, 2, 5, 31, 32, 33, 100, 128, 129, 1000, 3000}) {
    const std::string rows = extent > 200 ? "2x" : "37x";
    const std::string shape = rows + std::to_string(extent);
    expectScan({"sum", shape, "i32"});
    expectScan({"max", shape, "f32"});
    expectScan({"min", shape, "i64"});
  }
  expectScan({"sum", "1x20000", "i64"});
  for (const char *schedule : {"{block = 40}", "{block = 32}", "{block = 7}"})
    expectScan({"max", "3x100", "f32"}, schedule);
  expectScan({"sum", "2x2500", "i32"}, "{block = 1000}");
}

TEST(GpuScan, Types) {
  for (const char *type : {"i8", "ui8", "i16", "ui32", "ui64", "f64"})
    for (const char *kind : {"sum", "product", "max", "min"}) {
      const bool isOrdered = type[0] == 'f' && kind[0] != 'm';
      const char *order = isOrdered ? kSequential : "";
      expectScan({kind, "3x70", type, 1, order});
      expectScan({kind, "70x3", type, 0, order});
    }
}

// An operand that is computed, backwards and moved by one.
TEST(GpuScan, Fused) {
  const std::string text = R"(
  func.func @f(%x: tensor<4x60xf32>) -> tensor<4x60xf32> {
    %r = repro.reverse %x dims [1] : tensor<4x60xf32>
    %n = repro.mul %r, %r : tensor<4x60xf32>
    %y = repro.scan sum %n dim 1 order sequential : tensor<4x60xf32>
    return %y : tensor<4x60xf32>
  })";
  expectScan(text, {Program(text).makeFiniteInputs(2)}, "");
}

} // namespace
