// RUN: gensyn-opt %s --split-input-file --pass-pipeline='builtin.module(repro-freeze)' | FileCheck %s
// RUN: gensyn-opt %s --split-input-file --mlir-print-debuginfo | gensyn-opt --split-input-file --repro-freeze | FileCheck %s

// Names of values and locations, where constants stand and how an affine
// expression is spelled are no part of a program's identity; a constant, an order
// or a role is.

// CHECK: module attributes {repro.digest = "[[FIRST:[0-9a-f]+]]", repro.numerics = 1 : i64}
func.func @main(%x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"}) -> (tensor<4xf32> {gensyn.name = "y"}) {
  %c = repro.constant dense<1.0> : tensor<4xf32>
  %0 = repro.add %x, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: module attributes {repro.digest = "[[FIRST]]"
func.func @main(%other: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"}) -> (tensor<4xf32> {gensyn.name = "y"}) {
  %name = repro.constant dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>
  %sum = repro.add %other, %name : tensor<4xf32>
  return %sum : tensor<4xf32>
}

// -----

// CHECK: module attributes {repro.digest =
// CHECK-NOT: [[FIRST]]
// CHECK-SAME: repro.numerics
func.func @main(%x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"}) -> (tensor<4xf32> {gensyn.name = "y"}) {
  %c = repro.constant dense<2.0> : tensor<4xf32>
  %0 = repro.add %x, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: module attributes {repro.digest =
// CHECK-NOT: [[FIRST]]
// CHECK-SAME: repro.numerics
func.func @main(%x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "parameter"}) -> (tensor<4xf32> {gensyn.name = "y"}) {
  %c = repro.constant dense<1.0> : tensor<4xf32>
  %0 = repro.add %x, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: module attributes {repro.digest = "[[TWO:[0-9a-f]+]]"
func.func @main(%x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"}) -> (tensor<2xf32> {gensyn.name = "y"}) {
  %c = repro.constant dense<1.0> : tensor<4xf32>
  %d = repro.constant dense<2.0> : tensor<4xf32>
  %0 = repro.add %x, %c : tensor<4xf32>
  %1 = repro.mul %0, %d : tensor<4xf32>
  %2 = repro.reduce max %1 domain <[2, 2], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0 * 2 + d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4xf32> -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// -----

// CHECK: module attributes {repro.digest = "[[TWO]]"
func.func @main(%x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"}) -> (tensor<2xf32> {gensyn.name = "y"}) {
  %unused = repro.constant dense<3.0> : tensor<4xf32>
  %d = repro.constant dense<2.0> : tensor<4xf32>
  %c = repro.constant dense<1.0> : tensor<4xf32>
  %0 = repro.add %x, %c : tensor<4xf32>
  %1 = repro.mul %0, %d : tensor<4xf32>
  %2 = repro.reduce max %1 domain <[2, 2], reduce [1]>
      maps [affine_map<(d0, d1) -> (d1 + (d0 + (d0 + 0)))>, affine_map<(d0, d1) -> (d0)>] : tensor<4xf32> -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// -----

// The constants changed places in the formula.
// CHECK: module attributes {repro.digest =
// CHECK-NOT: [[TWO]]
// CHECK-SAME: repro.numerics
func.func @main(%x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"}) -> (tensor<2xf32> {gensyn.name = "y"}) {
  %c = repro.constant dense<1.0> : tensor<4xf32>
  %d = repro.constant dense<2.0> : tensor<4xf32>
  %0 = repro.add %x, %d : tensor<4xf32>
  %1 = repro.mul %0, %c : tensor<4xf32>
  %2 = repro.reduce max %1 domain <[2, 2], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0 * 2 + d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<4xf32> -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
