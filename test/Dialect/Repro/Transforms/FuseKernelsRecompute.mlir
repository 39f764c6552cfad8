// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby,epilogues,recompute})' --split-input-file | FileCheck %s

// The sum is one operation away from what is stored anyway: the second kernel
// computes it again, and reads what it reads besides.
// CHECK-LABEL: func.func @cheap
// CHECK: %[[T:.+]] = repro.kernel {{.+}} -> (tensor<4x8xf32>) {
// CHECK: repro.tanh
// CHECK: repro.kernel {{.+}} = %[[T]] : {{.+}} -> (tensor<4x8xf32>) {
// CHECK: %[[S:.+]] = repro.add
// CHECK: repro.exp
// CHECK-NOT: repro.kernel
func.func @cheap(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %one = repro.constant dense<1.0> : tensor<4x8xf32>
  %t = repro.tanh %x : tensor<4x8xf32>
  %s = repro.add %t, %one : tensor<4x8xf32>
  %r = repro.reverse %t dims [0] : tensor<4x8xf32>
  %m = repro.mul %r, %s : tensor<4x8xf32>
  %e = repro.exp %s : tensor<4x8xf32>
  %q = repro.mul %e, %m : tensor<4x8xf32>
  return %t, %q : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A function costs more than a load; what the program gives back is stored.
// CHECK-LABEL: func.func @dear
// CHECK: repro.kernel {{.+}} -> (tensor<4x8xf32>, tensor<4x8xf32>) {
// CHECK: repro.tanh
// CHECK-COUNT-1: repro.kernel
// CHECK-NOT: repro.tanh
// CHECK: return
func.func @dear(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<2x8xf32>) {
  %a = repro.neg %x : tensor<4x8xf32>
  %t = repro.tanh %a : tensor<4x8xf32>
  %y = repro.mul %a, %t : tensor<4x8xf32>
  %h = repro.slice %t start [0, 0] limit [2, 8] stride [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %z = repro.mul %h, %h : tensor<2x8xf32>
  return %y, %z : tensor<4x8xf32>, tensor<2x8xf32>
}

// -----

// A constant is computed again like what reads it, also where a row has one
// element: as a result it would take the form from the contraction.
// CHECK-LABEL: func.func @constant
// CHECK: %[[Y:.+]]:2 = repro.kernel {{.+}} -> (tensor<1x16xf32>, tensor<1x16xf32>) {
// CHECK: repro.contract
// CHECK: repro.kernel {{.+}} = %[[Y]]#0 : {{.+}} -> (tensor<1x16xf32>) {
// CHECK: repro.constant dense<5.000000e-01>
// CHECK-NOT: repro.kernel
func.func @constant(%x: tensor<1x16xf32>, %w: tensor<16x16xf32>) -> (tensor<1x16xf32>, tensor<1x16xf32>) {
  %half = repro.constant dense<0.5> : tensor<f32>
  %all = repro.broadcast %half dims [] : tensor<f32> to tensor<1x16xf32>
  %p = repro.contract %x, %w domain <[1, 16, 16], reduce [2]>
    maps [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
    bounds [in, in] order sequential : tensor<1x16xf32>, tensor<16x16xf32> -> tensor<1x16xf32>
  %y = repro.tanh %p : tensor<1x16xf32>
  %s = repro.add %y, %all : tensor<1x16xf32>
  %q = repro.mul %y, %s : tensor<1x16xf32>
  %g = repro.contract %q, %w domain <[1, 16, 16], reduce [2]>
    maps [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
    bounds [in, in] order sequential : tensor<1x16xf32>, tensor<16x16xf32> -> tensor<1x16xf32>
  %r = repro.mul %g, %s : tensor<1x16xf32>
  return %y, %r : tensor<1x16xf32>, tensor<1x16xf32>
}

// -----

// The kernel of a contraction stores its results in the contraction's shape, and
// computes with them in another one.
// CHECK-LABEL: func.func @reshaped
// CHECK: repro.kernel {{.+}} -> (tensor<2x16xf32>, tensor<2x16xbf16>) {
// CHECK: repro.contract
// CHECK: repro.kernel {{.+}} -> (tensor<1x2x16xf32>) {
// CHECK: repro.add
// CHECK-NOT: repro.kernel
func.func @reshaped(%x: tensor<2x16xf32>, %w: tensor<16x16xf32>) -> (tensor<1x2x16xf32>, tensor<1x2x16xf32>) {
  %half = repro.constant dense<0.5> : tensor<f32>
  %all = repro.broadcast %half dims [] : tensor<f32> to tensor<1x2x16xf32>
  %p = repro.contract %x, %w domain <[2, 16, 16], reduce [2]>
    maps [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
    bounds [in, in] order sequential : tensor<2x16xf32>, tensor<16x16xf32> -> tensor<2x16xf32>
  %f = repro.reshape %p : tensor<2x16xf32> to tensor<1x2x16xf32>
  %y = repro.tanh %f : tensor<1x2x16xf32>
  %s = repro.add %y, %all : tensor<1x2x16xf32>
  %q = repro.mul %y, %s : tensor<1x2x16xf32>
  %u = repro.reshape %q : tensor<1x2x16xf32> to tensor<2x16xf32>
  %n = repro.convert %u : tensor<2x16xf32> to tensor<2x16xbf16>
  %g = repro.contract %n, %w domain <[2, 16, 16], reduce [2]>
    maps [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
    bounds [in, in] order sequential : tensor<2x16xbf16>, tensor<16x16xf32> -> tensor<2x16xf32>
  %h = repro.reshape %g : tensor<2x16xf32> to tensor<1x2x16xf32>
  %r = repro.mul %h, %s : tensor<1x2x16xf32>
  return %y, %r : tensor<1x2x16xf32>, tensor<1x2x16xf32>
}
