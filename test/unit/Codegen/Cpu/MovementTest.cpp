// Movement ops, fused and alone, against the reference.

#include "RunProgram.h"

#include <gtest/gtest.h>

using gensyn::cpu::testing::expectBits;

namespace {

TEST(Movement, AllOfThem) {
  expectBits(R"(
    func.func @f(%a: tensor<4x6x5xf32>, %v: tensor<f32>) -> tensor<24x10xf32> {
      %t = repro.transpose %a [2, 0, 1] : tensor<4x6x5xf32> to tensor<5x4x6xf32>
      %s = repro.slice %t start [1, 0, 1] limit [5, 4, 6] stride [2, 1, 2] : tensor<5x4x6xf32> to tensor<2x4x3xf32>
      %p = repro.pad %s, %v low [1, 0, 2] high [0, 2, 0] interior [1, 0, 2] : tensor<2x4x3xf32>, tensor<f32> to tensor<4x6x9xf32>
      %c = repro.slice %p start [0, 0, 0] limit [4, 6, 5] stride [1, 1, 1] : tensor<4x6x9xf32> to tensor<4x6x5xf32>
      %r = repro.reverse %c dims [0, 2] : tensor<4x6x5xf32>
      %j = repro.concat %a, %r dim 2 : (tensor<4x6x5xf32>, tensor<4x6x5xf32>) -> tensor<4x6x10xf32>
      %y = repro.reshape %j : tensor<4x6x10xf32> to tensor<24x10xf32>
      return %y : tensor<24x10xf32>
    })");
}

// Columns ask for elements of what has none, in loops that do not run.
TEST(Movement, NothingJoinedWithNothing) {
  expectBits(R"(
    func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>) -> tensor<0xf32> {
      %j = repro.concat %a, %a dim 0 : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
      %y = repro.scatter min %j, %b[] maps [affine_map<(d0) -> (d0)>] bounds zero : tensor<0xf32>, tensor<0xf32>
      return %y : tensor<0xf32>
    })");
}

TEST(Movement, ReshapeBetweenElementwise) {
  expectBits(R"(
    func.func @f(%a: tensor<4x15xi32>, %b: tensor<5x12xi32>) -> tensor<5x1x12xi32> {
      %n = repro.neg %a : tensor<4x15xi32>
      %r = repro.reshape %n : tensor<4x15xi32> to tensor<5x12xi32>
      %s = repro.add %r, %b : tensor<5x12xi32>
      %y = repro.reshape %s : tensor<5x12xi32> to tensor<5x1x12xi32>
      return %y : tensor<5x1x12xi32>
    })");
}

TEST(Movement, ConstantsIotaBroadcast) {
  expectBits(R"(
    func.func @f(%a: tensor<3xi64>) -> (tensor<2x3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<4xf16>) {
      %i = repro.iota dim 1 : tensor<2x3xi64>
      %b = repro.broadcast %a dims [1] : tensor<3xi64> to tensor<2x3xi64>
      %c = repro.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
      %s = repro.add %i, %b : tensor<2x3xi64>
      %y = repro.mul %s, %c : tensor<2x3xi64>
      %h = repro.constant dense<1.5> : tensor<4xf16>
      return %y, %a, %a, %h : tensor<2x3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<4xf16>
    })");
}

TEST(Movement, NothingToMove) {
  expectBits(R"(
    func.func @f(%a: tensor<0x3xf32>, %b: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<0x3xf32>) {
      %y = repro.concat %a, %b dim 0 : (tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      %n = repro.neg %a : tensor<0x3xf32>
      return %y, %n : tensor<2x3xf32>, tensor<0x3xf32>
    })");
}

// The strides of a buffer without elements are not unique.
TEST(Movement, NothingInTheLastDimension) {
  expectBits(R"(
    func.func @f(%a: tensor<2x0xf32>, %b: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x0xf32>, tensor<2xf32>) {
      %y = repro.concat %a, %b dim 1 : (tensor<2x0xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      %n = repro.neg %a : tensor<2x0xf32>
      %s = repro.reduce sum %a domain <[2, 0], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        order sequential : tensor<2x0xf32> -> tensor<2xf32>
      return %y, %n, %s : tensor<2x3xf32>, tensor<2x0xf32>, tensor<2xf32>
    })");
}

} // namespace
