// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-delay-updates))' --check-bits=all | FileCheck %s

#slice = affine_map<(d0)[s0] -> (s0, d0)>
#none = affine_map<(d0) -> ()>

// CHECK-LABEL: func.func @loop
// CHECK: repro.kernel "read"
// CHECK: repro.kernel "write"
func.func @loop(%x: tensor<8xf32>, %y: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<4x8xf32>) {
  %r:2 = repro.loop trips 3 (%i, %s = %x : tensor<8xf32>, %t = %y : tensor<4x8xf32>) {
    %n = repro.kernel "write" (%b = %t : tensor<4x8xf32>, %u = %s : tensor<8xf32>, %j = %i : tensor<i64>) -> tensor<4x8xf32> {
      %w = repro.scatter set %b, %u[%j] maps [#slice, #none] bounds zero : tensor<4x8xf32>, tensor<8xf32>, tensor<i64>
      repro.yield %w : tensor<4x8xf32>
    }
    %f = repro.reshape %t : tensor<4x8xf32> to tensor<32xf32>
    %m = repro.kernel "read" (%b = %f : tensor<32xf32>) -> tensor<8xf32> {
      %z = repro.slice %b start [0] limit [8] stride [1] : tensor<32xf32> to tensor<8xf32>
      repro.yield %z : tensor<8xf32>
    }
    repro.yield %m, %n : tensor<8xf32>, tensor<4x8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<4x8xf32>
}

// The reader needs the new value too.
// CHECK-LABEL: func.func @stays
// CHECK: repro.kernel "write"
// CHECK: repro.kernel "both"
func.func @stays(%s: tensor<8xf32>, %t: tensor<4x8xf32>, %i: tensor<i64>) -> tensor<4x8xf32> {
  %n = repro.kernel "write" (%b = %t : tensor<4x8xf32>, %u = %s : tensor<8xf32>, %j = %i : tensor<i64>) -> tensor<4x8xf32> {
    %w = repro.scatter set %b, %u[%j] maps [#slice, #none] bounds zero : tensor<4x8xf32>, tensor<8xf32>, tensor<i64>
    repro.yield %w : tensor<4x8xf32>
  }
  %m = repro.kernel "both" (%b = %t : tensor<4x8xf32>, %c = %n : tensor<4x8xf32>) -> tensor<4x8xf32> {
    %z = repro.sub %b, %c : tensor<4x8xf32>
    repro.yield %z : tensor<4x8xf32>
  }
  return %m : tensor<4x8xf32>
}
