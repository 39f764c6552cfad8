// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @arg
func.func @arg(%x: tensor<2x5xf32>) -> (tensor<2x1xi64>, tensor<5xi64>) {
  // CHECK: %[[I:.+]] = repro.arg_reduce{{ +}}max %{{.+}} domain <[2, 5], reduce [1]>
  // CHECK: %[[J:.+]] = repro.convert %[[I]] : tensor<2xi32> to tensor<2xi64>
  // CHECK: repro.reshape %[[J]] : tensor<2xi64> to tensor<2x1xi64>
  %0 = onnx.ArgMax.v13(%x) {axis = -1 : i64} : (tensor<2x5xf32>) -> tensor<2x1xi64>
  // CHECK: repro.arg_reduce{{ +}}min last %{{.+}} domain <[2, 5], reduce [0]>
  %1 = onnx.ArgMin.v12(%x) {keepdims = 0 : i64, select_last_index = 1 : i64} : (tensor<2x5xf32>) -> tensor<5xi64>
  return %0, %1 : tensor<2x1xi64>, tensor<5xi64>
}

// CHECK-LABEL: @one_hot
func.func @one_hot(%i: tensor<3xi64>, %v: tensor<2xf32>) -> tensor<3x4xf32> {
  %depth = onnx.constant dense<4> : tensor<i64>
  // CHECK: repro.compare{{ +}}lt
  // CHECK: %[[P:.+]] = repro.iota
  // CHECK: %[[E:.+]] = repro.compare{{ +}}eq
  // CHECK: repro.select %[[E]]
  %0 = onnx.OneHot.v11(%i, %depth, %v) : (tensor<3xi64>, tensor<i64>, tensor<2xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// Version 11 sees a matrix, version 13 one dimension.
// CHECK-LABEL: @hardmax
func.func @hardmax(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  // CHECK: repro.arg_reduce{{ +}}max %{{.+}} domain <[2, 12], reduce [1]>
  %0 = onnx.Hardmax.v11(%x) {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  // CHECK: repro.arg_reduce{{ +}}max %{{.+}} domain <[2, 3, 4], reduce [1]>
  %1 = onnx.Hardmax.v13(%x) {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}
