// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby,epilogues})' --split-input-file | FileCheck %s

// Bias, activation and residual join the contraction, through another shape of
// the same elements; the sum that the gradient needs is a second result.
// CHECK-LABEL: func.func @dense
// CHECK: %[[K:.+]]:2 = repro.kernel "k{{.}}_add" (%[[A:.+]] = %arg0 : tensor<6x8xf32>, %[[B:.+]] = %arg1 : tensor<8x5xf32>, {{.+}}) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>) {
// CHECK-NEXT: %[[C:.+]] = repro.contract %[[A]], %[[B]]
// CHECK: repro.broadcast
// CHECK: repro.add %[[C]]
// CHECK: repro.max
// CHECK: repro.yield
// CHECK-NOT: repro.kernel
// CHECK: %[[S:.+]] = repro.reshape %[[K]]#0 : tensor<2x3x5xf32> to tensor<6x5xf32>
// CHECK: return %[[S]], %[[K]]#1
func.func @dense(%x: tensor<6x8xf32>, %w: tensor<8x5xf32>, %b: tensor<5xf32>, %r: tensor<2x3x5xf32>)
    -> (tensor<6x5xf32>, tensor<2x3x5xf32>) {
  %c = repro.contract %x, %w domain <[6, 5, 8], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<6x8xf32>, tensor<8x5xf32> -> tensor<6x5xf32>
  %d = repro.broadcast %b dims [1] : tensor<5xf32> to tensor<6x5xf32>
  %s = repro.add %c, %d : tensor<6x5xf32>
  %zero = repro.constant dense<0.0> : tensor<6x5xf32>
  %a = repro.max %s, %zero : tensor<6x5xf32>
  %t = repro.reshape %a : tensor<6x5xf32> to tensor<2x3x5xf32>
  %y = repro.add %t, %r : tensor<2x3x5xf32>
  return %s, %y : tensor<6x5xf32>, tensor<2x3x5xf32>
}

// -----

// A cast of the result.
// CHECK-LABEL: func.func @cast
// CHECK: repro.kernel {{.+}} -> (tensor<6x5xbf16>) {
// CHECK: repro.contract
// CHECK: repro.convert
func.func @cast(%x: tensor<6x8xf32>, %w: tensor<8x5xf32>) -> tensor<6x5xbf16> {
  %c = repro.contract %x, %w domain <[6, 5, 8], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<6x8xf32>, tensor<8x5xf32> -> tensor<6x5xf32>
  %y = repro.convert %c : tensor<6x5xf32> to tensor<6x5xbf16>
  return %y : tensor<6x5xbf16>
}

// -----

// Read at another place, by a second contraction, or in a part: stored.
// CHECK-LABEL: func.func @apart
// CHECK: repro.kernel "k0_contract"
// CHECK-NEXT: repro.contract
// CHECK-NEXT: repro.yield
// CHECK: repro.transpose
// CHECK: repro.kernel "k2_contract"
// CHECK-NEXT: repro.contract
// CHECK-NEXT: repro.yield
func.func @apart(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c = repro.contract %x, %w domain <[4, 4, 8], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  %t = repro.transpose %c [1, 0] : tensor<4x4xf32> to tensor<4x4xf32>
  %n = repro.neg %t : tensor<4x4xf32>
  %d = repro.contract %c, %x domain <[4, 8, 4], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<4x4xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %e = repro.slice %d start [0, 0] limit [4, 4] stride [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  return %n, %e : tensor<4x4xf32>, tensor<4x4xf32>
}
