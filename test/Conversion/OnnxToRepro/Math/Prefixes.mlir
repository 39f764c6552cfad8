// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @sum
func.func @sum(%x: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %axis = onnx.constant dense<-1> : tensor<i64>
  // CHECK: repro.scan sum %arg0 dim 1 : tensor<4x5xf32>
  %0 = onnx.CumSum.v14(%x, %axis) : (tensor<4x5xf32>, tensor<i64>) -> tensor<4x5xf32>
  // CHECK: %[[R:.+]] = repro.reverse %arg0 dims [1]
  // CHECK: %[[S:.+]] = repro.slice %[[R]] start [0, 0] limit [4, 4]
  // CHECK: %[[P:.+]] = repro.scan sum %[[S]] dim 1 : tensor<4x4xf32>
  // CHECK: %[[C:.+]] = repro.concat %{{.+}}, %[[P]] dim 1
  // CHECK: repro.reverse %[[C]] dims [1]
  %1 = onnx.CumSum.v14(%x, %axis) {exclusive = 1 : i64, reverse = 1 : i64} : (tensor<4x5xf32>, tensor<i64>) -> tensor<4x5xf32>
  return %0, %1 : tensor<4x5xf32>, tensor<4x5xf32>
}

// CHECK-LABEL: @top
func.func @top(%x: tensor<4x5xf16>) -> (tensor<4x2xf16>, tensor<4x2xi64>) {
  %k = onnx.constant dense<2> : tensor<1xi64>
  // CHECK: %[[W:.+]] = repro.convert %arg0 : tensor<4x5xf16> to tensor<4x5xf32>
  // CHECK: %[[V:.+]], %[[I:.+]] = repro.sort ascending %[[W]] dim 1 count 2
  // CHECK: repro.convert %[[I]] : tensor<4x2xi32> to tensor<4x2xi64>
  %0, %1 = onnx.TopK.v11(%x, %k) {largest = 0 : i64} : (tensor<4x5xf16>, tensor<1xi64>) -> (tensor<4x2xf16>, tensor<4x2xi64>)
  return %0, %1 : tensor<4x2xf16>, tensor<4x2xi64>
}
