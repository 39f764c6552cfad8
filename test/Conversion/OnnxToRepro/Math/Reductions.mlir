// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// Dimensions that are not adjacent are separate ops, innermost first.
// CHECK-LABEL: @sum
func.func @sum(%x: tensor<2x3x4x5xf32>) -> (tensor<1x3x1x1xf32>, tensor<2x3x4xf32>) {
  // CHECK: %[[A:.+]] = repro.reduce{{ +}}sum %{{.+}} domain <[2, 3, 4, 5], reduce [2, 3]>
  // CHECK: %[[B:.+]] = repro.reduce{{ +}}sum %[[A]] domain <[2, 3], reduce [0]>
  // CHECK: repro.reshape %[[B]] : tensor<3xf32> to tensor<1x3x1x1xf32>
  %axes = onnx.constant dense<[0, -1, 2]> : tensor<3xi64>
  %0 = onnx.ReduceSum.v13(%x, %axes) : (tensor<2x3x4x5xf32>, tensor<3xi64>) -> tensor<1x3x1x1xf32>
  // CHECK: repro.reduce{{ +}}sum %{{.+}} domain <[2, 3, 4, 5], reduce [3]>
  %1 = onnx.ReduceSum.v11(%x) {axes = array<i64: -1>, keepdims = 0 : i64} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4xf32>
  return %0, %1 : tensor<1x3x1x1xf32>, tensor<2x3x4xf32>
}

// No axes: all of them, or none with noop_with_empty_axes.
// CHECK-LABEL: @no_axes
// CHECK-SAME: (%[[X:.+]]: tensor<2x3xf32>)
func.func @no_axes(%x: tensor<2x3xf32>) -> (tensor<1x1xf32>, tensor<2x3xf32>) {
  // CHECK: repro.reduce{{ +}}sum %[[X]] domain <[2, 3], reduce [0, 1]>
  // CHECK: repro.constant dense<6.000000e+00>
  // CHECK: repro.div
  %0 = onnx.ReduceMean.v18(%x) : (tensor<2x3xf32>) -> tensor<1x1xf32>
  // CHECK: return %{{.+}}, %[[X]]
  %1 = onnx.ReduceMean.v18(%x) {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<1x1xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: @extrema
func.func @extrema(%x: tensor<2x3xf32>, %p: tensor<2x3xi1>) -> (tensor<2x1xf32>, tensor<2x1xi1>) {
  %axes = onnx.constant dense<1> : tensor<1xi64>
  // CHECK: repro.reduce{{ +}}max
  %0 = onnx.ReduceMax.v20(%x, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  // CHECK: repro.reduce{{ +}}and
  %1 = onnx.ReduceMin.v20(%p, %axes) : (tensor<2x3xi1>, tensor<1xi64>) -> tensor<2x1xi1>
  return %0, %1 : tensor<2x1xf32>, tensor<2x1xi1>
}

// The root's argument is 1 where the sum is 0.
// CHECK-LABEL: @l2
// CHECK-SAME: (%[[X:.+]]: tensor<2x3xf32>)
func.func @l2(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
  // CHECK: repro.mul %[[X]], %[[X]]
  // CHECK: repro.reduce{{ +}}sum
  // CHECK: %[[Z:.+]] = repro.compare{{ +}}eq
  // CHECK: %[[SAFE:.+]] = repro.select %[[Z]]
  // CHECK: %[[R:.+]] = repro.sqrt %[[SAFE]]
  // CHECK: repro.select %[[Z]], %{{.+}}, %[[R]]
  %0 = onnx.ReduceL2.v13(%x) {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// CHECK-LABEL: @log_sum_exp
func.func @log_sum_exp(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
  // CHECK: repro.reduce{{ +}}max
  // CHECK: train.stop_gradient
  // CHECK: repro.exp
  // CHECK: repro.reduce{{ +}}sum
  // CHECK: repro.log
  // CHECK: repro.add
  %0 = onnx.ReduceLogSumExp.v13(%x) {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// A scalar has nothing to reduce, whatever axis is named.
// CHECK-LABEL: @of_a_scalar
// CHECK-SAME: (%[[X:.+]]: tensor<f32>)
func.func @of_a_scalar(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // CHECK-NOT: repro.reduce
  // CHECK: return %[[X]], %[[X]]
  %0 = onnx.ReduceMax.v11(%x) {axes = array<i64: 0>} : (tensor<f32>) -> tensor<f32>
  %1 = onnx.ReduceMin.v11(%x) {axes = array<i64: -1>, keepdims = 0 : i64} : (tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
