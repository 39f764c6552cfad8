// Threads with vectors of elements: which accesses become vectors, and bits.

#include "../RunOnSimulator.h"
#include "ProgramText.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::gpu::testing;
using gensyn::cpu::testing::countOf;

namespace {

/// Bits and faults on a target of each kind of access; returns the last PTX.
std::string expectPointwise(const std::string &text,
                            std::vector<Tensor> inputs = {}) {
  Program program(text);
  if (inputs.empty())
    inputs = program.makeInputs(7);
  std::string ptx;
  for (int sm : {75, 80}) {
    SCOPED_TRACE(text + " on sm_" + std::to_string(sm));
    gpu::testing::Compiled compiled(program, sm);
    for (const std::string &name : compiled.takenBy)
      EXPECT_EQ(name, "pointwise");
    expectBits(program, compiled, inputs);
    EXPECT_EQ(compiled.ptx.find(".local"), std::string::npos);
    ptx = compiled.ptx;
  }
  return ptx;
}

// A bias along the channels of an image: rows of 40 elements.
TEST(GpuPointwise, Broadcasts) {
  std::string ptx = expectPointwise(R"(
  func.func @f(%x: tensor<3x4x5x8xf32>, %b: tensor<4xf32>, %s: tensor<f32>) -> tensor<3x4x5x8xf32> {
    %bb = repro.broadcast %b dims [1] : tensor<4xf32> to tensor<3x4x5x8xf32>
    %y = repro.add %x, %bb : tensor<3x4x5x8xf32>
    %ss = repro.broadcast %s dims [] : tensor<f32> to tensor<3x4x5x8xf32>
    %z = repro.mul %y, %ss : tensor<3x4x5x8xf32>
    return %z : tensor<3x4x5x8xf32>
  })");
  EXPECT_EQ(countOf(ptx, "ld.global.v4.b32"), 1u);
  EXPECT_EQ(countOf(ptx, "ld.global"), 3u);
  EXPECT_EQ(countOf(ptx, "st.global"), 1u);
  // Rows of odd length: operands that are not broadcast are still accessed by
  // vectors.
  ptx = expectPointwise(R"(
  func.func @f(%x: tensor<4x3x7xf32>, %b: tensor<3xf32>, %c: tensor<7xf32>) -> tensor<4x3x7xf32> {
    %bb = repro.broadcast %b dims [1] : tensor<3xf32> to tensor<4x3x7xf32>
    %cc = repro.broadcast %c dims [2] : tensor<7xf32> to tensor<4x3x7xf32>
    %y = repro.add %x, %bb : tensor<4x3x7xf32>
    %z = repro.mul %y, %cc : tensor<4x3x7xf32>
    return %z : tensor<4x3x7xf32>
  })");
  EXPECT_EQ(countOf(ptx, "ld.global.v4.b32"), 1u);
  EXPECT_EQ(countOf(ptx, "st.global"), 1u);
}

// Each size leaves another tail, of a thread and of a block.
TEST(GpuPointwise, Tails) {
  for (int n : {0, 2, 3, 4, 5, 127, 511, 512, 513, 1023}) {
    const std::string type = "tensor<" + std::to_string(n) + "xf32>";
    expectPointwise("func.func @f(%x: " + type + ", %y: " + type + ") -> (" +
                    type + ", " + type + R"() {
      %s = repro.add %x, %y : )" +
                    type + R"(
      %m = repro.max %x, %y : )" +
                    type + R"(
      return %s, %m : )" +
                    type + ", " + type + "}");
  }
  expectPointwise(R"(
  func.func @f(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
    %s = repro.sub %x, %y : tensor<f32>
    return %s : tensor<f32>
  })");
}

// More elements than a round of all threads: several vectors for each.
TEST(GpuPointwise, Large) {
  std::string ptx = expectPointwise(R"(
  func.func @f(%x: tensor<1025x1025xf32>, %b: tensor<1025xf32>) -> tensor<1025x1025xf32> {
    %n = repro.neg %x : tensor<1025x1025xf32>
    return %n : tensor<1025x1025xf32>
  })");
  EXPECT_EQ(countOf(ptx, "ld.global.v4.b32"), 4u);
  EXPECT_EQ(countOf(ptx, "st.global.v4.b32"), 4u);
}

// Types of every width share a thread's elements.
TEST(GpuPointwise, Widths) {
  std::string ptx = expectPointwise(R"(
  func.func @f(%a: tensor<133xi8>, %b: tensor<133xui64>, %c: tensor<133xf16>)
      -> (tensor<133xui64>, tensor<133xf32>, tensor<133xi1>) {
    %w = repro.convert %a : tensor<133xi8> to tensor<133xui64>
    %s = repro.or %w, %b : tensor<133xui64>
    %h = repro.convert %c : tensor<133xf16> to tensor<133xf32>
    %f = repro.convert %a : tensor<133xi8> to tensor<133xf32>
    %m = repro.max %h, %f : tensor<133xf32>
    %p = repro.compare ge %m, %h : tensor<133xf32>
    return %s, %m, %p : tensor<133xui64>, tensor<133xf32>, tensor<133xi1>
  })");
  EXPECT_GE(countOf(ptx, "ld.global.v2.b64"), 2u);
  EXPECT_GE(countOf(ptx, "st.global.v4.b32"), 1u);
  ptx = expectPointwise(R"(
  func.func @f(%a: tensor<129xi16>, %b: tensor<129xi16>) -> tensor<129xi16> {
    %m = repro.max %a, %b : tensor<129xi16>
    return %m : tensor<129xi16>
  })");
  EXPECT_GE(countOf(ptx, ".v4.b32"), 3u);
  expectPointwise(R"(
  func.func @f(%a: tensor<70xf64>, %p: tensor<70xi1>) -> (tensor<70xf64>, tensor<70xf8E4M3FN>) {
    %q = repro.not %p : tensor<70xi1>
    %n = repro.neg %a : tensor<70xf64>
    %s = repro.select %q, %n, %a : tensor<70xf64>
    %f = repro.convert %s : tensor<70xf64> to tensor<70xf32>
    %e = repro.convert %f : tensor<70xf32> to tensor<70xf8E4M3FN>
    return %s, %e : tensor<70xf64>, tensor<70xf8E4M3FN>
  })");
}

// Adjacent parts of a row are accessed by vectors even through data movement.
TEST(GpuPointwise, Movement) {
  std::string ptx = expectPointwise(R"(
  func.func @f(%x: tensor<6x32xf32>, %y: tensor<2x32xf32>) -> tensor<2x2x2x16xf32> {
    %s = repro.slice %x start [1, 8] limit [5, 24] stride [2, 1] : tensor<6x32xf32> to tensor<2x16xf32>
    %c = repro.concat %s, %s dim 0 : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<4x16xf32>
    %r = repro.reshape %c : tensor<4x16xf32> to tensor<2x2x16xf32>
    %v = repro.reverse %r dims [0] : tensor<2x2x16xf32>
    %b = repro.broadcast %v dims [0, 1, 3] : tensor<2x2x16xf32> to tensor<2x2x2x16xf32>
    %z = repro.constant dense<1.0> : tensor<f32>
    %q = repro.reshape %y : tensor<2x32xf32> to tensor<2x2x1x16xf32>
    %p = repro.pad %q, %z low [0, 0, 0, 0] high [0, 0, 1, 0] interior [0, 0, 0, 0] : tensor<2x2x1x16xf32>, tensor<f32> to tensor<2x2x2x16xf32>
    %a = repro.add %b, %p : tensor<2x2x2x16xf32>
    return %a : tensor<2x2x2x16xf32>
  })");
  EXPECT_EQ(countOf(ptx, "ld.global.nc.v4.b32"), 3u);
  EXPECT_EQ(countOf(ptx, "ld.global"), 3u);
  // Odd starts take what alignment there is; a reversed row is a vector too.
  ptx = expectPointwise(R"(
  func.func @f(%x: tensor<4x34xf32>) -> (tensor<4x32xf32>, tensor<4x32xf32>) {
    %s = repro.slice %x start [0, 2] limit [4, 34] stride [1, 1] : tensor<4x34xf32> to tensor<4x32xf32>
    %v = repro.reverse %s dims [1] : tensor<4x32xf32>
    %t = repro.slice %x start [0, 1] limit [4, 33] stride [1, 1] : tensor<4x34xf32> to tensor<4x32xf32>
    return %v, %t : tensor<4x32xf32>, tensor<4x32xf32>
  })");
  EXPECT_EQ(countOf(ptx, ".v2.b32"), 2u);
}

Tensor indices(std::vector<int64_t> values, std::vector<int64_t> shape) {
  Tensor tensor(ElementType::I64, std::move(shape));
  std::memcpy(tensor.data(), values.data(), values.size() * 8);
  return tensor;
}

// Rows of a table: vectors along the slice, one look at the index.
TEST(GpuPointwise, Gather) {
  const std::string text = R"(
  func.func @f(%t: tensor<5x16xf32>, %i: tensor<2x3xi64>) -> tensor<2x3x16xf32> {
    %y = repro.gather %t[%i] maps [affine_map<(d0, d1, d2)[s0] -> (s0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds fault : tensor<5x16xf32>, tensor<2x3xi64> -> tensor<2x3x16xf32>
    %n = repro.neg %y : tensor<2x3x16xf32>
    return %n : tensor<2x3x16xf32>
  })";
  Program program(text);
  std::vector<Tensor> inputs = program.makeInputs(3);
  inputs[1] = indices({4, 0, 1, 2, 3, 3}, {2, 3});
  std::string ptx = expectPointwise(text, inputs);
  EXPECT_EQ(countOf(ptx, "ld.global.nc.v4.b32"), 1u);
  EXPECT_EQ(countOf(ptx, "ld.global"), 2u);
  EXPECT_EQ(countOf(ptx, "atom.global.min"), 1u);
  // Faults at the third row; what 32 bits do not hold is outside too.
  inputs[1] = indices({4, 0, 5, 2, -1, 3}, {2, 3});
  expectPointwise(text, inputs);
  inputs[1] = indices({4, 0, (int64_t(1) << 32) + 1, 2, 1, 3}, {2, 3});
  expectPointwise(text, inputs);
  inputs[1] = indices({4, 0, 1, 2, 1, INT64_MIN + 2}, {2, 3});
  expectPointwise(text, inputs);
}

// Four words of a block, one after another; blocks that rows cut apart.
TEST(GpuPointwise, Draws) {
  for (const char *columns : {"64", "7"}) {
    std::string type = std::string("tensor<3x") + columns + "xui32>";
    std::string ptx = expectPointwise(
        R"(func.func @f(%k: tensor<2xui32>, %s: tensor<ui32>, %d: tensor<ui32>) -> )" +
        type + R"( {
      %b = repro.random_bits %k, %s, %d stream 77 : )" +
        type + R"(
      return %b : )" +
        type + "}");
    // Two products a round, both as high and low words.
    EXPECT_LE(countOf(ptx, "mul.wide.u32") + countOf(ptx, "mul.hi.u32"), 90u);
  }
}

// A window per thread.
TEST(GpuPointwise, Pooling) {
  expectPointwise(R"(
  func.func @f(%x: tensor<2x9x9xf32>) -> tensor<2x4x4xf32> {
    %y = repro.reduce max %x domain <[2, 4, 4, 3, 3], reduce [3, 4]>
      maps [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 * 2 + d3, d2 * 2 + d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>]
      : tensor<2x9x9xf32> -> tensor<2x4x4xf32>
    return %y : tensor<2x4x4xf32>
  })");
}

} // namespace
