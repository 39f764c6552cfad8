// Rows in vectors: joined dimensions, blocks, tails, bytes, against the
// reference. That the schedule takes a kernel is tested with its name.

#include "RunProgram.h"

#include <gtest/gtest.h>

using namespace gensyn::cpu;
using namespace gensyn::cpu::testing;

namespace {

// A bias along the channels of an image: rows of 5 x 7 elements.
const char *const kBias = R"(
  func.func @f(%x: tensor<3x4x5x7xf32>, %b: tensor<4xf32>, %s: tensor<f32>) -> tensor<3x4x5x7xf32> {
    %bb = repro.broadcast %b dims [1] : tensor<4xf32> to tensor<3x4x5x7xf32>
    %y = repro.add %x, %bb : tensor<3x4x5x7xf32>
    %ss = repro.broadcast %s dims [] : tensor<f32> to tensor<3x4x5x7xf32>
    %z = repro.mul %y, %ss : tensor<3x4x5x7xf32>
    %t = repro.tanh %z : tensor<3x4x5x7xf32>
    return %t : tensor<3x4x5x7xf32>
  })";

// A bias along the columns: rows of 70 elements, with a tail.
const char *const kColumns = R"(
  func.func @f(%x: tensor<6x7x10xf32>, %b: tensor<7x10xf32>) -> (tensor<6x7x10xf32>, tensor<6x7x10xi1>) {
    %n = repro.neg %b : tensor<7x10xf32>
    %bb = repro.broadcast %n dims [1, 2] : tensor<7x10xf32> to tensor<6x7x10xf32>
    %zero = repro.constant dense<0.0> : tensor<6x7x10xf32>
    %p = repro.compare lt %x, %zero : tensor<6x7x10xf32>
    %y = repro.select %p, %bb, %x : tensor<6x7x10xf32>
    return %y, %p : tensor<6x7x10xf32>, tensor<6x7x10xi1>
  })";

// Two rows of three blocks.
const char *const kLong = R"(
  func.func @f(%x: tensor<2x9001xf64>, %b: tensor<2xf64>, %p: tensor<2x9001xi1>) -> tensor<2x9001xf64> {
    %bb = repro.broadcast %b dims [0] : tensor<2xf64> to tensor<2x9001xf64>
    %q = repro.not %p : tensor<2x9001xi1>
    %d = repro.div %x, %bb : tensor<2x9001xf64>
    %y = repro.select %q, %d, %x : tensor<2x9001xf64>
    return %y : tensor<2x9001xf64>
  })";

// A function, of several vectors at once: rows of a block, then of several
// vectors, of vectors, and a tail.
const char *const kFunction = R"(
  func.func @f(%x: tensor<3x4195xf32>, %p: tensor<3x4195xi1>, %b: tensor<3xf32>) -> (tensor<3x4195xf32>, tensor<3x4195xi1>) {
    %bb = repro.broadcast %b dims [0] : tensor<3xf32> to tensor<3x4195xf32>
    %y = repro.add %x, %bb : tensor<3x4195xf32>
    %s = repro.sigmoid %y : tensor<3x4195xf32>
    %z = repro.select %p, %s, %x : tensor<3x4195xf32>
    %l = repro.compare lt %z, %bb : tensor<3x4195xf32>
    return %z, %l : tensor<3x4195xf32>, tensor<3x4195xi1>
  })";

TEST(PointwiseSchedule, Takes) {
  EXPECT_EQ(schedulesOf(kBias).front(), "pointwise");
  EXPECT_EQ(schedulesOf(kLong).front(), "pointwise");
  EXPECT_EQ(schedulesOf(kFunction).front(), "pointwise");
  EXPECT_EQ(schedulesOf(R"(
    func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %t = repro.transpose %x [1, 0] : tensor<64x64xf32> to tensor<64x64xf32>
      %y = repro.neg %t : tensor<64x64xf32>
      return %y : tensor<64x64xf32>
    })")
                .front(),
            "movement");
}

TEST(PointwiseSchedule, Bits) {
  expectBits(kBias);
  expectBits(kColumns);
  expectBits(kLong);
  expectBits(kFunction);
}

// Integers of every width, and i1, share a vector's number of lanes.
TEST(PointwiseSchedule, Widths) {
  expectBits(R"(
    func.func @f(%a: tensor<133xi8>, %b: tensor<133xui64>, %c: tensor<133xf16>)
        -> (tensor<133xui64>, tensor<133xf32>, tensor<133xi1>) {
      %w = repro.convert %a : tensor<133xi8> to tensor<133xui64>
      %s = repro.div %w, %b : tensor<133xui64>
      %h = repro.convert %c : tensor<133xf16> to tensor<133xf32>
      %f = repro.convert %s : tensor<133xui64> to tensor<133xf32>
      %m = repro.max %h, %f : tensor<133xf32>
      %p = repro.compare ge %m, %h : tensor<133xf32>
      return %s, %m, %p : tensor<133xui64>, tensor<133xf32>, tensor<133xi1>
    })");
}

} // namespace
