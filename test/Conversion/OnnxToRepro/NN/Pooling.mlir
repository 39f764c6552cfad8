// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-DAG: #[[$POOL:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4 - 1, d3 * 2 + d5 - 1)>
// CHECK-DAG: #[[$RESULT:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$LINE:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 * 2 + d3)>

// CHECK-LABEL: @max
func.func @max(%x: tensor<8x64x56x56xf32>) -> tensor<8x64x28x28xf32> {
  // CHECK: repro.reduce{{ +}}max %{{.+}} domain <[8, 64, 28, 28, 3, 3], reduce [4, 5]> maps [#[[$POOL]], #[[$RESULT]]]
  // CHECK-NEXT: return
  %0 = onnx.MaxPool.v12(%x) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>,
      pads = array<i64: 1, 1, 1, 1>} : (tensor<8x64x56x56xf32>) -> tensor<8x64x28x28xf32>
  return %0 : tensor<8x64x28x28xf32>
}

// CHECK-LABEL: @max_with_indices
func.func @max_with_indices(%x: tensor<1x1x4xf32>) -> (tensor<1x1x2xf32>, tensor<1x1x2xi64>) {
  // CHECK: %[[M:.+]] = repro.reduce{{ +}}max
  // CHECK: %[[A:.+]] = repro.arg_reduce{{ +}}max
  // CHECK: repro.convert %[[A]] : tensor<1x1x2xi32> to tensor<1x1x2xi64>
  // CHECK: repro.rem
  // CHECK: return %[[M]], %{{.+}}
  %0:2 = onnx.MaxPool.v12(%x) {kernel_shape = array<i64: 2>, strides = array<i64: 2>}
      : (tensor<1x1x4xf32>) -> (tensor<1x1x2xf32>, tensor<1x1x2xi64>)
  return %0#0, %0#1 : tensor<1x1x2xf32>, tensor<1x1x2xi64>
}

// Without padding every window counts the same.
// CHECK-LABEL: @average
func.func @average(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32> {
  // CHECK: %[[S:.+]] = repro.reduce{{ +}}sum
  // CHECK: repro.constant dense<4.000000e+00> : tensor<f32>
  // CHECK: repro.div %[[S]]
  %0 = onnx.AveragePool.v11(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}
      : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}

// By ceil_mode the last window extends past the end: one tap counts there.
// CHECK-LABEL: @average_ceil
func.func @average_ceil(%x: tensor<1x1x5xf32>) -> tensor<1x1x3xf32> {
  // CHECK: repro.reduce{{ +}}sum {{.+}} maps [#[[$LINE]],
  // CHECK: repro.constant dense<[2.000000e+00, 2.000000e+00, 1.000000e+00]>
  // CHECK: repro.div
  %0 = onnx.AveragePool.v19(%x) {kernel_shape = array<i64: 2>, strides = array<i64: 2>,
      ceil_mode = 1 : i64, count_include_pad = 1 : i64} : (tensor<1x1x5xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}

// Padding counts only with count_include_pad.
// CHECK-LABEL: @average_padded
func.func @average_padded(%x: tensor<1x1x4xf32>) -> (tensor<1x1x4xf32>, tensor<1x1x4xf32>) {
  // CHECK: repro.constant dense<[2.000000e+00, 3.000000e+00, 3.000000e+00, 2.000000e+00]>
  %0 = onnx.AveragePool.v22(%x) {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>}
      : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  // CHECK: repro.constant dense<3.000000e+00> : tensor<f32>
  %1 = onnx.AveragePool.v22(%x) {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>,
      count_include_pad = 1 : i64} : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %0, %1 : tensor<1x1x4xf32>, tensor<1x1x4xf32>
}

// CHECK-LABEL: @global
func.func @global(%x: tensor<2x3x4x5xf32>) -> (tensor<2x3x1x1xf32>, tensor<2x3x1x1xf32>) {
  // CHECK: repro.reduce{{ +}}sum {{.+}} reduce [2, 3]
  // CHECK: repro.constant dense<2.000000e+01>
  // CHECK: repro.div
  // CHECK: repro.reduce{{ +}}max {{.+}} reduce [2, 3]
  %0 = onnx.GlobalAveragePool.v1(%x) : (tensor<2x3x4x5xf32>) -> tensor<2x3x1x1xf32>
  %1 = onnx.GlobalMaxPool.v1(%x) : (tensor<2x3x4x5xf32>) -> tensor<2x3x1x1xf32>
  return %0, %1 : tensor<2x3x1x1xf32>, tensor<2x3x1x1xf32>
}

// CHECK-LABEL: @norm
func.func @norm(%x: tensor<1x1x4xf32>) -> tensor<1x1x3xf32> {
  // CHECK: repro.mul
  // CHECK: repro.reduce{{ +}}sum
  // CHECK: %[[Z:.+]] = repro.compare{{ +}}eq
  // CHECK: %[[R:.+]] = repro.sqrt
  // CHECK: repro.select %[[Z]], %{{.+}}, %[[R]]
  %0 = onnx.LpPool.v18(%x) {kernel_shape = array<i64: 2>} : (tensor<1x1x4xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}

// Other norms are powers; the root of a sum of 0 is 0.
// CHECK-LABEL: @cubic
func.func @cubic(%x: tensor<1x1x4xf32>) -> tensor<1x1x3xf32> {
  // CHECK: %[[ABS:.+]] = repro.abs %arg0
  // CHECK: repro.pow %[[ABS]]
  // CHECK: repro.reduce sum
  // CHECK: repro.compare eq
  // CHECK: %[[ROOT:.+]] = repro.pow
  // CHECK: repro.select %{{.+}}, %{{.+}}, %[[ROOT]]
  %0 = onnx.LpPool.v22(%x) {kernel_shape = array<i64: 2>, p = 3 : i64} : (tensor<1x1x4xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}
