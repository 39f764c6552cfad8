// RUN: gensyn-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(repro-assign-orders),repro-freeze)' | FileCheck %s

// Ops inside regions are part of the digest; names are not. Sums inside of them
// get orders.
// CHECK: module attributes {repro.digest = "[[FIRST:[0-9a-f]+]]", repro.numerics = 1 : i64}
// CHECK: order lanes<32>
func.func @main(%x: tensor<4x40xf32>) -> tensor<4xf32> {
  %z = repro.constant dense<0.0> : tensor<4xf32>
  %y = repro.loop trips 8 (%i, %a = %z : tensor<4xf32>) invariant (%b = %x : tensor<4x40xf32>) {
    %s = repro.reduce sum %b domain <[4, 40], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4x40xf32> -> tensor<4xf32>
    %c = repro.add %a, %s : tensor<4xf32>
    repro.yield %c : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// CHECK: module attributes {repro.digest = "[[FIRST]]"
func.func @main(%other: tensor<4x40xf32>) -> tensor<4xf32> {
  %z = repro.constant dense<0.0> : tensor<4xf32>
  %r = repro.loop trips 8 (%index, %carried = %z : tensor<4xf32>) invariant (%table = %other : tensor<4x40xf32>) {
    %s = repro.reduce sum %table domain <[4, 40], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4x40xf32> -> tensor<4xf32>
    %sum = repro.add %carried, %s : tensor<4xf32>
    repro.yield %sum : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// The operands of the addition in the body are exchanged.
// CHECK: module attributes {repro.digest =
// CHECK-NOT: [[FIRST]]
// CHECK-SAME: repro.numerics
func.func @main(%x: tensor<4x40xf32>) -> tensor<4xf32> {
  %z = repro.constant dense<0.0> : tensor<4xf32>
  %y = repro.loop trips 8 (%i, %a = %z : tensor<4xf32>) invariant (%b = %x : tensor<4x40xf32>) {
    %s = repro.reduce sum %b domain <[4, 40], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4x40xf32> -> tensor<4xf32>
    %c = repro.add %s, %a : tensor<4xf32>
    repro.yield %c : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
