// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels)' --split-input-file | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby,pointwise})' --split-input-file | FileCheck %s --check-prefix=SOME
// RUN: not gensyn-opt %s --repro-fuse-kernels='forms=rows,tiles' --split-input-file 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: no form of fusion is called 'tiles'; there are nearby, contracted-rows, prologues, pointwise, rows, columns, epilogues, recompute, horizontal and all

// Elementwise work through a reshape of what is stored: the walk is the same.
// SOME-LABEL: func.func @reshaped
// SOME: %[[K:.+]]:2 = repro.kernel {{.+}} -> (tensor<4x3xf32>, tensor<4x3xf32>) {
// SOME-NOT: repro.kernel
// SOME: %[[R:.+]] = repro.reshape %[[K]]#0 : tensor<4x3xf32> to tensor<2x6xf32>
// SOME: return %[[R]], %[[K]]#1
func.func @reshaped(%x: tensor<2x6xf32>, %y: tensor<4x3xf32>) -> (tensor<2x6xf32>, tensor<4x3xf32>) {
  %a = repro.exp %x : tensor<2x6xf32>
  %r = repro.reshape %a : tensor<2x6xf32> to tensor<4x3xf32>
  %b = repro.mul %r, %y : tensor<4x3xf32>
  return %a, %b : tensor<2x6xf32>, tensor<4x3xf32>
}

// -----

// The mask alone would fit the scores' contraction as well as the softmax: as
// the masked scores are read by nothing else, rows gain nothing by it, and the
// contraction's result disappears. What the two read of each other decides.
// CHECK-LABEL: func.func @attention
// CHECK: %[[S:.+]] = repro.kernel {{.+}} -> (tensor<4x6xf32>) {
// CHECK: repro.contract
// CHECK: repro.add
// CHECK: repro.kernel {{.+}} = %[[S]] : {{.+}} -> (tensor<4x6xf32>) {
// CHECK: repro.reduce max
// CHECK: repro.reduce sum
// CHECK-NOT: repro.kernel
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @attention(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %mask: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %c = repro.contract %q, %k domain <[4, 6, 8], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<4x8xf32>, tensor<6x8xf32> -> tensor<4x6xf32>
  %x = repro.add %c, %mask : tensor<4x6xf32>
  %m = repro.reduce max %x domain <[4, 6], reduce [1]> maps [#full, #row] : tensor<4x6xf32> -> tensor<4xf32>
  %n = repro.broadcast %m dims [0] : tensor<4xf32> to tensor<4x6xf32>
  %d = repro.sub %x, %n : tensor<4x6xf32>
  %e = repro.exp %d : tensor<4x6xf32>
  %s = repro.reduce sum %e domain <[4, 6], reduce [1]> maps [#full, #row] order sequential : tensor<4x6xf32> -> tensor<4xf32>
  %b = repro.broadcast %s dims [0] : tensor<4xf32> to tensor<4x6xf32>
  %y = repro.div %e, %b : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// The root mean square reads the sum twice over: rows gain more by the residual
// than the contraction would.
// CHECK-LABEL: func.func @residual
// CHECK: repro.kernel "k0_contract"
// CHECK-NEXT: repro.contract
// CHECK-NEXT: repro.yield
// CHECK: repro.kernel {{.+}} -> (tensor<4x6xf32>) {
// CHECK: repro.add
// CHECK: repro.pow
// CHECK: repro.reduce sum
// CHECK-NOT: repro.kernel
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @residual(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %r: tensor<4x6xf32>, %p: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %c = repro.contract %q, %k domain <[4, 6, 8], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<4x8xf32>, tensor<6x8xf32> -> tensor<4x6xf32>
  %x = repro.add %c, %r : tensor<4x6xf32>
  %q2 = repro.pow %x, %p : tensor<4x6xf32>
  %s = repro.reduce sum %q2 domain <[4, 6], reduce [1]> maps [#full, #row] order sequential : tensor<4x6xf32> -> tensor<4xf32>
  %b = repro.broadcast %s dims [0] : tensor<4xf32> to tensor<4x6xf32>
  %u = repro.mul %q2, %b : tensor<4x6xf32>
  %y = repro.div %x, %u : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// Draws are drawn again wherever they are needed, and nothing of them is
// stored; the two kernels have nothing else in common.
// CHECK-LABEL: func.func @draws
// CHECK-COUNT-2: = repro.kernel
// CHECK: return
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @draws(%key: tensor<2xui32>, %step: tensor<ui32>, %x: tensor<4x8xf32>, %y: tensor<3x8xf32>) -> (tensor<4x8xf32>, tensor<3xf32>) {
  %draw = repro.constant dense<0> : tensor<ui32>
  %half = repro.constant dense<2147483648> : tensor<4x8xui32>
  %zero = repro.constant dense<0.0> : tensor<4x8xf32>
  %bits = repro.random_bits %key, %step, %draw stream 1 : tensor<4x8xui32>
  %mask = repro.compare lt %bits, %half : tensor<4x8xui32>
  %a = repro.select %mask, %x, %zero : tensor<4x8xf32>
  %s = repro.reduce sum %y domain <[3, 8], reduce [1]> maps [#full, #row] order sequential : tensor<3x8xf32> -> tensor<3xf32>
  return %a, %s : tensor<4x8xf32>, tensor<3xf32>
}

// -----

// A kernel between two that are joined, which reads the first, runs after both.
// CHECK-LABEL: func.func @moved
// CHECK: %[[K:.+]]:3 = repro.kernel "k3_neg"
// CHECK: repro.reduce sum
// CHECK: repro.kernel "k1_scan" ({{.+}} = %[[K]]#0
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @moved(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>) {
  %s = repro.reduce sum %x domain <[4, 8], reduce [1]> maps [#full, #row] order sequential : tensor<4x8xf32> -> tensor<4xf32>
  %g = repro.scan sum %s dim 0 order sequential : tensor<4xf32>
  %b = repro.broadcast %s dims [0] : tensor<4xf32> to tensor<4x8xf32>
  %y = repro.div %x, %b : tensor<4x8xf32>
  %z = repro.neg %y : tensor<4x8xf32>
  return %y, %g, %z : tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>
}
