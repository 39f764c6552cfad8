// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby,epilogues,recompute recomputed-flops=16})' --split-input-file | FileCheck %s --check-prefixes=CHECK,MANY
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby,epilogues,recompute recomputed-flops=1})' --split-input-file | FileCheck %s --check-prefixes=CHECK,FEW

// Four bytes an element are saved: the second kernel reads %x instead of %t, which the first one does not store.
// CHECK-LABEL: func.func @function
// MANY: repro.kernel {{.+}} -> (tensor<4x8xf32>) {
// MANY: repro.kernel
// MANY: repro.tanh
// FEW: repro.kernel {{.+}} -> (tensor<4x8xf32>, tensor<4x8xf32>) {
// FEW: repro.kernel
// FEW-NOT: repro.tanh
// CHECK: return
func.func @function(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = repro.neg %x : tensor<4x8xf32>
  %t = repro.tanh %a : tensor<4x8xf32>
  %y = repro.mul %a, %t : tensor<4x8xf32>
  %r = repro.reverse %y dims [0] : tensor<4x8xf32>
  %z = repro.mul %r, %t : tensor<4x8xf32>
  return %y, %z : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// The position of an element costs nothing to read: the mask is not stored.
// CHECK-LABEL: func.func @mask
// CHECK: repro.kernel {{.+}} -> (tensor<4x8xf32>) {
// CHECK: repro.kernel
// CHECK: repro.iota
// CHECK: repro.compare
// CHECK: return
func.func @mask(%x: tensor<4x8xf32>, %label: tensor<4xi64>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = repro.constant dense<0.0> : tensor<4x8xf32>
  %class = repro.iota dim 1 : tensor<4x8xi64>
  %labels = repro.broadcast %label dims [0] : tensor<4xi64> to tensor<4x8xi64>
  %hit = repro.compare eq %class, %labels : tensor<4x8xi64>
  %y = repro.select %hit, %x, %zero : tensor<4x8xf32>
  %r = repro.reverse %y dims [0] : tensor<4x8xf32>
  %z = repro.select %hit, %r, %x : tensor<4x8xf32>
  return %y, %z : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// An operand of a contraction is read, and computed, many times.
// CHECK-LABEL: func.func @operand
// CHECK: repro.kernel {{.+}} -> (tensor<4x8xf32>, tensor<4x8xf32>) {
// CHECK: repro.tanh
// CHECK: repro.kernel
// CHECK-NOT: repro.tanh
// CHECK: return
func.func @operand(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> (tensor<4x8xf32>, tensor<4x6xf32>) {
  %a = repro.neg %x : tensor<4x8xf32>
  %t = repro.tanh %a : tensor<4x8xf32>
  %y = repro.mul %a, %t : tensor<4x8xf32>
  %z = repro.contract %t, %w domain <[4, 6, 8], reduce [2]> maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] bounds [in, in] order sequential : tensor<4x8xf32>, tensor<8x6xf32> -> tensor<4x6xf32>
  return %y, %z : tensor<4x8xf32>, tensor<4x6xf32>
}
