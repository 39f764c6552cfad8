// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// Over columns, then over rows; bins without elements are 0.
// CHECK-LABEL: @regions
func.func @regions(%x: tensor<1x2x6x8xf32>, %rois: tensor<3x5xf32>) -> tensor<3x2x2x3xf32> {
  // CHECK: %[[X:.+]] = repro.gather %arg0{{.*}} bounds fault
  // CHECK: repro.reduce max {{.*}}-> tensor<3x2x6x3xf32>
  // CHECK: repro.reduce max {{.*}}-> tensor<3x2x2x3xf32>
  // CHECK: repro.select {{.*}}tensor<3x2x2x3xf32>
  %0 = onnx.MaxRoiPool.v22(%x, %rois) {pooled_shape = array<i64: 2, 3>} : (tensor<1x2x6x8xf32>, tensor<3x5xf32>) -> tensor<3x2x2x3xf32>
  return %0 : tensor<3x2x2x3xf32>
}
