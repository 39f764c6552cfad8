// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-hasten-updates))' --check-bits=all | FileCheck %s

// A step that updates %w and %v at its end. An update moves behind what computes
// its operands, among them a number that all updates share, and behind the
// readers of what it replaces.
module attributes {gensyn.donated = array<i64: 0, 1, -1>} {
  // CHECK-LABEL: func.func @main
  // CHECK: repro.kernel "rate"
  // CHECK: repro.kernel "forward"
  // CHECK: repro.kernel "backward"
  // CHECK: repro.kernel "update_v"
  // CHECK: repro.kernel "reads_w"
  // CHECK: repro.kernel "update_w"
  // CHECK: repro.kernel "last"
  // CHECK: repro.kernel "end"
  func.func @main(%w: tensor<32xf32>, %v: tensor<32xf32>, %r: tensor<f32>) -> (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) {
    %a = repro.kernel "forward" (%i = %v : tensor<32xf32>) -> tensor<32xf32> {
      %0 = repro.exp %i : tensor<32xf32>
      repro.yield %0 : tensor<32xf32>
    }
    %b = repro.kernel "backward" (%i = %a : tensor<32xf32>) -> tensor<32xf32> {
      %0 = repro.reverse %i dims [0] : tensor<32xf32>
      repro.yield %0 : tensor<32xf32>
    }
    %c = repro.kernel "reads_w" (%i = %b : tensor<32xf32>, %j = %w : tensor<32xf32>) -> tensor<32xf32> {
      %0 = repro.mul %i, %j : tensor<32xf32>
      %1 = repro.reverse %0 dims [0] : tensor<32xf32>
      repro.yield %1 : tensor<32xf32>
    }
    %d = repro.kernel "last" (%i = %c : tensor<32xf32>) -> tensor<32xf32> {
      %0 = repro.reverse %i dims [0] : tensor<32xf32>
      repro.yield %0 : tensor<32xf32>
    }
    %e = repro.kernel "end" (%i = %d : tensor<32xf32>) -> tensor<32xf32> {
      %0 = repro.reverse %i dims [0] : tensor<32xf32>
      repro.yield %0 : tensor<32xf32>
    }
    %s = repro.kernel "rate" (%i = %r : tensor<f32>) -> tensor<f32> {
      %0 = repro.neg %i : tensor<f32>
      repro.yield %0 : tensor<f32>
    }
    %f = repro.reshape %b : tensor<32xf32> to tensor<4x8xf32>
    %g = repro.reshape %f : tensor<4x8xf32> to tensor<32xf32>
    %x = repro.kernel "update_w" (%i = %g : tensor<32xf32>, %j = %w : tensor<32xf32>, %k = %s : tensor<f32>) -> tensor<32xf32> {
      %0 = repro.broadcast %k dims [] : tensor<f32> to tensor<32xf32>
      %1 = repro.fma %0, %i, %j : tensor<32xf32>
      repro.yield %1 : tensor<32xf32>
    }
    %y = repro.kernel "update_v" (%i = %g : tensor<32xf32>, %j = %v : tensor<32xf32>, %k = %s : tensor<f32>) -> tensor<32xf32> {
      %0 = repro.broadcast %k dims [] : tensor<f32> to tensor<32xf32>
      %1 = repro.fma %0, %i, %j : tensor<32xf32>
      repro.yield %1 : tensor<32xf32>
    }
    return %x, %y, %e : tensor<32xf32>, tensor<32xf32>, tensor<32xf32>
  }
}
