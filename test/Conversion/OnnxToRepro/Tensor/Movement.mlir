// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @reshapes
// CHECK-SAME: (%[[X:.+]]: tensor<2x1x6xf32>)
func.func @reshapes(%x: tensor<2x1x6xf32>) -> (tensor<2x6xf32>, tensor<3x4xf32>, tensor<2x6xf32>) {
  %axes = onnx.constant dense<1> : tensor<1xi64>
  %shape = onnx.constant dense<[3, -1]> : tensor<2xi64>
  // CHECK: repro.reshape %[[X]] : tensor<2x1x6xf32> to tensor<2x6xf32>
  %0 = onnx.Squeeze.v13(%x, %axes) : (tensor<2x1x6xf32>, tensor<1xi64>) -> tensor<2x6xf32>
  // CHECK: repro.reshape %[[X]] : tensor<2x1x6xf32> to tensor<3x4xf32>
  %1 = onnx.Reshape.v14(%x, %shape) : (tensor<2x1x6xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  // CHECK: repro.reshape %[[X]] : tensor<2x1x6xf32> to tensor<2x6xf32>
  %2 = onnx.Flatten.v13(%x) : (tensor<2x1x6xf32>) -> tensor<2x6xf32>
  // CHECK-NOT: repro.constant
  return %0, %1, %2 : tensor<2x6xf32>, tensor<3x4xf32>, tensor<2x6xf32>
}

// Without perm the dimensions are reversed.
// CHECK-LABEL: @transpose
func.func @transpose(%x: tensor<2x3x4xf32>) -> (tensor<4x3x2xf32>, tensor<2x4x3xf32>) {
  // CHECK: repro.transpose %{{.+}} [2, 1, 0]
  %0 = onnx.Transpose.v13(%x) : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  // CHECK: repro.transpose %{{.+}} [0, 2, 1]
  %1 = onnx.Transpose.v13(%x) {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  return %0, %1 : tensor<4x3x2xf32>, tensor<2x4x3xf32>
}

// CHECK-LABEL: @repeat
func.func @repeat(%x: tensor<3x1xf32>) -> (tensor<2x3x4xf32>, tensor<6x3xf32>) {
  %shape = onnx.constant dense<[2, 1, 4]> : tensor<3xi64>
  %counts = onnx.constant dense<[2, 3]> : tensor<2xi64>
  // CHECK: repro.broadcast %{{.+}} dims [1] : tensor<3xf32> to tensor<2x3x4xf32>
  %0 = onnx.Expand.v13(%x, %shape) : (tensor<3x1xf32>, tensor<3xi64>) -> tensor<2x3x4xf32>
  // CHECK: %[[T:.+]] = repro.broadcast %{{.+}} dims [1, 3] : tensor<3x1xf32> to tensor<2x3x3x1xf32>
  // CHECK: repro.reshape %[[T]] : tensor<2x3x3x1xf32> to tensor<6x3xf32>
  %1 = onnx.Tile.v13(%x, %counts) : (tensor<3x1xf32>, tensor<2xi64>) -> tensor<6x3xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<6x3xf32>
}

// CHECK-LABEL: @blocks
func.func @blocks(%x: tensor<1x8x2x3xf32>) -> (tensor<1x2x4x6xf32>, tensor<1x2x4x6xf32>) {
  // CHECK: repro.reshape %{{.+}} to tensor<1x2x2x2x2x3xf32>
  // CHECK: repro.transpose %{{.+}} [0, 3, 4, 1, 5, 2]
  %0 = onnx.DepthToSpace.v13(%x) {blocksize = 2 : i64} : (tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>
  // CHECK: repro.transpose %{{.+}} [0, 1, 4, 2, 5, 3]
  %1 = onnx.DepthToSpace.v13(%x) {blocksize = 2 : i64, mode = "CRD"} : (tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>
  return %0, %1 : tensor<1x2x4x6xf32>, tensor<1x2x4x6xf32>
}
