// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @softmax_13
// CHECK-SAME: (%[[X:.+]]: tensor<2x3x4xf32>)
func.func @softmax_13(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: %[[M:.+]] = repro.reduce{{ +}}max %[[X]] domain <[2, 3, 4], reduce [1]>
  // CHECK: %[[S:.+]] = train.stop_gradient %[[M]]
  // CHECK: %[[D:.+]] = repro.sub %[[X]]
  // CHECK: %[[E:.+]] = repro.exp %[[D]]
  // CHECK: repro.reduce{{ +}}sum %[[E]] domain <[2, 3, 4], reduce [1]>
  // CHECK: repro.div %[[E]]
  %0 = onnx.Softmax.v13(%x) {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// Before version 13 all dimensions from the axis on count.
// CHECK-LABEL: @softmax_11
func.func @softmax_11(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: repro.reduce{{ +}}max %{{.+}} domain <[2, 3, 4], reduce [1, 2]>
  // CHECK: repro.reduce{{ +}}sum %{{.+}} domain <[2, 3, 4], reduce [1, 2]>
  %0 = onnx.Softmax.v11(%x) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @log_softmax
func.func @log_softmax(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // CHECK: %[[D:.+]] = repro.sub
  // CHECK: %[[E:.+]] = repro.exp %[[D]]
  // CHECK: repro.reduce{{ +}}sum %[[E]]
  // CHECK: %[[L:.+]] = repro.log
  // CHECK: %[[B:.+]] = repro.broadcast
  // CHECK: repro.sub %[[D]], %[[B]]
  %0 = onnx.LogSoftmax.v13(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
