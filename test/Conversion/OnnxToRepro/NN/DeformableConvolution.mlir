// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// Four neighbours, zeros beyond the image, then one contraction.
// CHECK-LABEL: @deformed
func.func @deformed(%x: tensor<1x4x5x5xf32>, %w: tensor<2x4x3x3xf32>, %offset: tensor<1x36x3x3xf32>, %b: tensor<2xf32>) -> tensor<1x2x3x3xf32> {
  // CHECK-COUNT-4: repro.gather %arg0{{.*}} bounds zero
  // CHECK-NOT: repro.gather
  // CHECK: repro.contract {{.*}}-> tensor<1x1x2x9xf32>
  // CHECK: repro.add
  %0 = onnx.DeformConv.v22(%x, %w, %offset, %b) {offset_group = 2 : i64} : (tensor<1x4x5x5xf32>, tensor<2x4x3x3xf32>, tensor<1x36x3x3xf32>, tensor<2xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}
