// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby,columns})' --split-input-file | FileCheck %s

// The gradients of a shift and a scale: both sum the same tensor over its rows.
// Later uses of one of them are fused too.
// CHECK-LABEL: func.func @norm
// CHECK: %[[K:.+]]:2 = repro.kernel {{.+}} -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK: repro.reduce sum {{.+}} domain <[2, 3, 8], reduce [0, 1]>
// CHECK: repro.mul
// CHECK: repro.reduce sum
// CHECK: repro.neg
// CHECK-NOT: repro.kernel
// CHECK: return %[[K]]#
#full = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#column = affine_map<(d0, d1, d2) -> (d2)>
func.func @norm(%dy: tensor<2x3x8xf32>, %x: tensor<2x3x8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %b = repro.reduce sum %dy domain <[2, 3, 8], reduce [0, 1]> maps [#full, #column] order lanes<32> : tensor<2x3x8xf32> -> tensor<8xf32>
  %p = repro.mul %dy, %x : tensor<2x3x8xf32>
  %g = repro.reduce sum %p domain <[2, 3, 8], reduce [0, 1]> maps [#full, #column] order lanes<32> : tensor<2x3x8xf32> -> tensor<8xf32>
  %n = repro.neg %g : tensor<8xf32>
  return %b, %n : tensor<8xf32>, tensor<8xf32>
}

// -----

// Other tensors have nothing to gain; what is read by whole rows again is no
// work on columns.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-3: = repro.kernel
// CHECK: return
#full = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @apart(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<4x8xf32>) {
  %s = repro.reduce sum %x domain <[4, 8], reduce [0]> maps [#full, #column] order sequential : tensor<4x8xf32> -> tensor<8xf32>
  %t = repro.reduce sum %y domain <[4, 8], reduce [0]> maps [#full, #column] order sequential : tensor<4x8xf32> -> tensor<8xf32>
  %b = repro.broadcast %t dims [1] : tensor<8xf32> to tensor<4x8xf32>
  %d = repro.sub %y, %b : tensor<4x8xf32>
  return %s, %d : tensor<8xf32>, tensor<4x8xf32>
}
