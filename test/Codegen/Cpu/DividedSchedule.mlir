// RUN: gensyn-opt %s --gensyn-emit-cpu-kernels=target=x86-64-v4 | FileCheck %s

// The 40 columns of an image reach over several of its rows, each of which
// would need another part of the bias: the contraction and the epilogue are
// launched one after the other, and the contraction's result is where the
// kernel's will be.
// CHECK-LABEL: func.func @conv(
// CHECK-SAME: %[[Y:[a-z0-9]+]]: memref<4x5x8xf32>
// CHECK-LABEL: func.func @conv_epilogue(
// CHECK: vector.load
// CHECK: arith.addf
// CHECK: vector.store
func.func @main(%a: tensor<3x5x8xf32>, %b: tensor<4x3xf32>, %c: tensor<8xf32>) -> tensor<4x5x8xf32> {
  %y = repro.kernel "conv" (%x = %a : tensor<3x5x8xf32>, %w = %b : tensor<4x3xf32>, %d = %c : tensor<8xf32>) -> (tensor<4x5x8xf32>) {
    %s = repro.contract %w, %x domain <[4, 5, 8, 3], reduce [3]>
      maps [affine_map<(d0, d1, d2, d3) -> (d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>,
            affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]
      bounds [in, in] order sequential : tensor<4x3xf32>, tensor<3x5x8xf32> -> tensor<4x5x8xf32>
    %e = repro.broadcast %d dims [2] : tensor<8xf32> to tensor<4x5x8xf32>
    %r = repro.add %s, %e : tensor<4x5x8xf32>
    repro.yield %r : tensor<4x5x8xf32>
  }
  return %y : tensor<4x5x8xf32>
}

// A long epilogue after products of one row: vectors of whole images, in the
// shape of the result, whose buffer the contraction's result has.
// CHECK-LABEL: func.func @depthwise(
// CHECK-LABEL: func.func @depthwise_epilogue(
// CHECK-SAME: %{{.+}}: memref<32x1x5x5xf32>, %{{.+}}: memref<32x3x3xf32>, %[[Y:.+]]: memref<32x25xf32>, %{{.+}}: memref<0xi8>
// CHECK-NOT: memref.reinterpret_cast
// CHECK: %[[ROW:.+]] = memref.collapse_shape %[[Y]]
// CHECK: vector.load %[[ROW]]
// CHECK: vector.store {{.+}}, %
func.func @images(%a: tensor<32x1x5x5xf32>, %b: tensor<32x3x3xf32>) -> tensor<32x25xf32> {
  %y = repro.kernel "depthwise" (%x = %a : tensor<32x1x5x5xf32>, %w = %b : tensor<32x3x3xf32>) -> (tensor<32x25xf32>) {
    %s = repro.contract %x, %w domain <[32, 1, 5, 5, 3, 3], reduce [4, 5]>
      maps [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4 - 1, d3 + d5 - 1)>,
            affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d5)>,
            affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]
      bounds [zero, in] order sequential : tensor<32x1x5x5xf32>, tensor<32x3x3xf32> -> tensor<32x1x5x5xf32>
    %f = repro.reshape %s : tensor<32x1x5x5xf32> to tensor<32x25xf32>
    %g = repro.sigmoid %f : tensor<32x25xf32>
    %r = repro.mul %f, %g : tensor<32x25xf32>
    repro.yield %r : tensor<32x25xf32>
  }
  return %y : tensor<32x25xf32>
}
