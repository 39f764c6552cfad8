// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=contracted-rows contracted-bytes=0})' --split-input-file | FileCheck %s --check-prefixes=CHECK,ANY
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=contracted-rows})' --split-input-file | FileCheck %s --check-prefix=SMALL
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=contracted-rows contracted-bytes=0 contracted-width=6})' --split-input-file | FileCheck %s --check-prefixes=CHECK,TILES
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=contracted-rows contracted-bytes=0 contracted-width=5})' --split-input-file | FileCheck %s --check-prefix=SMALL

// A softmax between two contractions becomes one kernel, which stores no
// scores. Small scores stay in caches, so their kernels stay apart.
// CHECK-LABEL: func.func @attention
// CHECK: %[[K:.+]] = repro.kernel "k5_contract" (%{{.+}} = %arg0 : tensor<2x3x4xf32>, %{{.+}} = %arg1 : tensor<2x5x4xf32>, %{{.+}} = %arg2 : tensor<2x5x6xf32>) -> (tensor<2x3x6xf32>) {
// CHECK: repro.contract
// CHECK: repro.reduce max
// CHECK: repro.reduce sum
// CHECK: repro.div
// CHECK: repro.contract
// CHECK-NOT: repro.kernel
// CHECK: return %[[K]]
// SMALL-LABEL: func.func @attention
// SMALL-COUNT-6: repro.kernel
// SMALL-LABEL: func.func @training
#q = affine_map<(h, q, k, d) -> (h, q, d)>
#k = affine_map<(h, q, k, d) -> (h, k, d)>
#s = affine_map<(h, q, k, d) -> (h, q, k)>
#p = affine_map<(h, q, v, k) -> (h, q, k)>
#v = affine_map<(h, q, v, k) -> (h, k, v)>
#y = affine_map<(h, q, v, k) -> (h, q, v)>
#full = affine_map<(h, q, k) -> (h, q, k)>
#row = affine_map<(h, q, k) -> (h, q)>
func.func @attention(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x6xf32>) -> tensor<2x3x6xf32> {
  %s = repro.contract %q, %k domain <[2, 3, 5, 4], reduce [3]> maps [#q, #k, #s] bounds [in, in] order sequential : tensor<2x3x4xf32>, tensor<2x5x4xf32> -> tensor<2x3x5xf32>
  %m = repro.reduce max %s domain <[2, 3, 5], reduce [2]> maps [#full, #row] : tensor<2x3x5xf32> -> tensor<2x3xf32>
  %n = repro.broadcast %m dims [0, 1] : tensor<2x3xf32> to tensor<2x3x5xf32>
  %d = repro.sub %s, %n : tensor<2x3x5xf32>
  %e = repro.exp %d : tensor<2x3x5xf32>
  %l = repro.reduce sum %e domain <[2, 3, 5], reduce [2]> maps [#full, #row] order lanes<32> : tensor<2x3x5xf32> -> tensor<2x3xf32>
  %b = repro.broadcast %l dims [0, 1] : tensor<2x3xf32> to tensor<2x3x5xf32>
  %p = repro.div %e, %b : tensor<2x3x5xf32>
  %y = repro.contract %p, %v domain <[2, 3, 6, 5], reduce [3]> maps [#p, #v, #y] bounds [in, in] order sequential : tensor<2x3x5xf32>, tensor<2x5x6xf32> -> tensor<2x3x6xf32>
  return %y : tensor<2x3x6xf32>
}

// -----

// The gradient needs the rows again: its kernel computes them from the operands
// and the numbers of each row, which the first kernel stores.
// CHECK-LABEL: func.func @training
// CHECK: %[[Y:.+]]:2 = repro.kernel {{.+}} -> (tensor<2x3xf32>, tensor<2x3x6xf32>) {
// CHECK: repro.reduce sum
// CHECK: repro.kernel {{.+}} -> (tensor<2x3x6xf32>) {
// CHECK: repro.mul
// CHECK: repro.kernel {{.+}} = %[[Y]]#0 : tensor<2x3xf32>{{.+}} -> (tensor<2x5x6xf32>) {
// CHECK: repro.contract
// CHECK: repro.exp
// CHECK-NOT: repro.reduce
// CHECK: repro.contract
// CHECK-NOT: repro.kernel
// CHECK: return
#q = affine_map<(h, q, k, d) -> (h, q, d)>
#k = affine_map<(h, q, k, d) -> (h, k, d)>
#s = affine_map<(h, q, k, d) -> (h, q, k)>
#p = affine_map<(h, q, v, k) -> (h, q, k)>
#v = affine_map<(h, q, v, k) -> (h, k, v)>
#y = affine_map<(h, q, v, k) -> (h, q, v)>
#p2 = affine_map<(h, k, v, q) -> (h, q, k)>
#y2 = affine_map<(h, k, v, q) -> (h, q, v)>
#v2 = affine_map<(h, k, v, q) -> (h, k, v)>
#full = affine_map<(h, q, k) -> (h, q, k)>
#row = affine_map<(h, q, k) -> (h, q)>
func.func @training(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %s = repro.contract %q, %k domain <[2, 3, 5, 4], reduce [3]> maps [#q, #k, #s] bounds [in, in] order sequential : tensor<2x3x4xf32>, tensor<2x5x4xf32> -> tensor<2x3x5xf32>
  %e = repro.exp %s : tensor<2x3x5xf32>
  %l = repro.reduce sum %e domain <[2, 3, 5], reduce [2]> maps [#full, #row] order lanes<32> : tensor<2x3x5xf32> -> tensor<2x3xf32>
  %b = repro.broadcast %l dims [0, 1] : tensor<2x3xf32> to tensor<2x3x5xf32>
  %p = repro.div %e, %b : tensor<2x3x5xf32>
  %y = repro.contract %p, %v domain <[2, 3, 6, 5], reduce [3]> maps [#p, #v, #y] bounds [in, in] order sequential : tensor<2x3x5xf32>, tensor<2x5x6xf32> -> tensor<2x3x6xf32>
  %g = repro.mul %y, %y : tensor<2x3x6xf32>
  %dv = repro.contract %p, %g domain <[2, 5, 6, 3], reduce [3]> maps [#p2, #y2, #v2] bounds [in, in] order sequential : tensor<2x3x5xf32>, tensor<2x3x6xf32> -> tensor<2x5x6xf32>
  return %dv : tensor<2x5x6xf32>
}

// -----

// A result of the program that is the rows themselves is stored, and so they
// are no part of such a kernel.
// CHECK-LABEL: func.func @stored
// CHECK-COUNT-3: repro.kernel
#q = affine_map<(h, q, k, d) -> (h, q, d)>
#k = affine_map<(h, q, k, d) -> (h, k, d)>
#s = affine_map<(h, q, k, d) -> (h, q, k)>
#p = affine_map<(h, q, v, k) -> (h, q, k)>
#v = affine_map<(h, q, v, k) -> (h, k, v)>
#y = affine_map<(h, q, v, k) -> (h, q, v)>
#full = affine_map<(h, q, k) -> (h, q, k)>
#row = affine_map<(h, q, k) -> (h, q)>
func.func @stored(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x6xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x6xf32>) {
  %s = repro.contract %q, %k domain <[2, 3, 5, 4], reduce [3]> maps [#q, #k, #s] bounds [in, in] order sequential : tensor<2x3x4xf32>, tensor<2x5x4xf32> -> tensor<2x3x5xf32>
  %l = repro.reduce sum %s domain <[2, 3, 5], reduce [2]> maps [#full, #row] order lanes<32> : tensor<2x3x5xf32> -> tensor<2x3xf32>
  %b = repro.broadcast %l dims [0, 1] : tensor<2x3xf32> to tensor<2x3x5xf32>
  %p = repro.div %s, %b : tensor<2x3x5xf32>
  %y = repro.contract %p, %v domain <[2, 3, 6, 5], reduce [3]> maps [#p, #v, #y] bounds [in, in] order sequential : tensor<2x3x5xf32>, tensor<2x5x6xf32> -> tensor<2x3x6xf32>
  return %p, %y : tensor<2x3x5xf32>, tensor<2x3x6xf32>
}

// -----

// Threads that keep tiles in registers share rows in 16 lanes or more, and
// blocks of an order end with tiles.
// ANY-LABEL: func.func @few_lanes
// ANY-COUNT-1: repro.kernel
// ANY-NOT: repro.kernel
// ANY-LABEL: func.func @odd_blocks
// ANY-COUNT-1: repro.kernel
// ANY-NOT: repro.kernel
// TILES-LABEL: func.func @few_lanes
// TILES-COUNT-3: repro.kernel
// TILES-LABEL: func.func @odd_blocks
// TILES-COUNT-3: repro.kernel
#q = affine_map<(h, q, k, d) -> (h, q, d)>
#k = affine_map<(h, q, k, d) -> (h, k, d)>
#s = affine_map<(h, q, k, d) -> (h, q, k)>
#p = affine_map<(h, q, v, k) -> (h, q, k)>
#v = affine_map<(h, q, v, k) -> (h, k, v)>
#y = affine_map<(h, q, v, k) -> (h, q, v)>
#full = affine_map<(h, q, k) -> (h, q, k)>
#row = affine_map<(h, q, k) -> (h, q)>
func.func @few_lanes(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x6xf32>) -> tensor<2x3x6xf32> {
  %s = repro.contract %q, %k domain <[2, 3, 5, 4], reduce [3]> maps [#q, #k, #s] bounds [in, in] order sequential : tensor<2x3x4xf32>, tensor<2x5x4xf32> -> tensor<2x3x5xf32>
  %l = repro.reduce sum %s domain <[2, 3, 5], reduce [2]> maps [#full, #row] order lanes<8> : tensor<2x3x5xf32> -> tensor<2x3xf32>
  %b = repro.broadcast %l dims [0, 1] : tensor<2x3xf32> to tensor<2x3x5xf32>
  %p = repro.div %s, %b : tensor<2x3x5xf32>
  %y = repro.contract %p, %v domain <[2, 3, 6, 5], reduce [3]> maps [#p, #v, #y] bounds [in, in] order sequential : tensor<2x3x5xf32>, tensor<2x5x6xf32> -> tensor<2x3x6xf32>
  return %y : tensor<2x3x6xf32>
}

func.func @odd_blocks(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x6xf32>) -> tensor<2x3x6xf32> {
  %s = repro.contract %q, %k domain <[2, 3, 5, 4], reduce [3]> maps [#q, #k, #s] bounds [in, in] order sequential : tensor<2x3x4xf32>, tensor<2x5x4xf32> -> tensor<2x3x5xf32>
  %l = repro.reduce sum %s domain <[2, 3, 5], reduce [2]> maps [#full, #row] order lanes<32> : tensor<2x3x5xf32> -> tensor<2x3xf32>
  %b = repro.broadcast %l dims [0, 1] : tensor<2x3xf32> to tensor<2x3x5xf32>
  %p = repro.div %s, %b : tensor<2x3x5xf32>
  %y = repro.contract %p, %v domain <[2, 3, 6, 5], reduce [3]> maps [#p, #v, #y] bounds [in, in] order blocked<3, sequential, sequential> : tensor<2x3x5xf32>, tensor<2x5x6xf32> -> tensor<2x3x6xf32>
  return %y : tensor<2x3x6xf32>
}
