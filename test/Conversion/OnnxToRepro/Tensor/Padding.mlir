// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @pad_2
func.func @pad_2(%x: tensor<2x3xf32>) -> tensor<2x6xf32> {
  // CHECK: %[[V:.+]] = repro.constant dense<5.000000e-01> : tensor<f32>
  // CHECK: repro.pad %{{.+}}, %[[V]] low [0, 1] high [0, 2] interior [0, 0]
  %0 = onnx.Pad.v2(%x) {pads = array<i64: 0, 1, 0, 2>, value = 0.5 : f32} : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// Negative amounts crop first.
// CHECK-LABEL: @pad_18
// CHECK-SAME: (%[[X:.+]]: tensor<2x3xf32>, %[[V:.+]]: tensor<f32>)
func.func @pad_18(%x: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<2x4xf32> {
  %pads = onnx.constant dense<[-1, 2]> : tensor<2xi64>
  %axes = onnx.constant dense<[-1]> : tensor<1xi64>
  // CHECK: %[[S:.+]] = repro.slice %[[X]] start [0, 1] limit [2, 3]
  // CHECK: repro.pad %[[S]], %[[V]] low [0, 0] high [0, 2] interior [0, 0]
  %0 = onnx.Pad.v18(%x, %pads, %v, %axes) : (tensor<2x3xf32>, tensor<2xi64>, tensor<f32>, tensor<1xi64>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: @reflect
func.func @reflect(%x: tensor<4xf32>) -> tensor<7xf32> {
  %pads = onnx.constant dense<[2, 1]> : tensor<2xi64>
  // CHECK: %[[LOW:.+]] = repro.slice %{{.+}} start [1] limit [3]
  // CHECK: %[[LOW_R:.+]] = repro.reverse %[[LOW]]
  // CHECK: %[[HIGH:.+]] = repro.slice %{{.+}} start [2] limit [3]
  // CHECK: %[[HIGH_R:.+]] = repro.reverse %[[HIGH]]
  // CHECK: repro.concat %[[LOW_R]], %{{.+}}, %[[HIGH_R]] dim 0
  %0 = onnx.Pad.v13(%x, %pads) {mode = "reflect"} : (tensor<4xf32>, tensor<2xi64>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// CHECK-LABEL: @edge_and_wrap
func.func @edge_and_wrap(%x: tensor<4xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %pads = onnx.constant dense<[2, 0]> : tensor<2xi64>
  // CHECK: %[[E:.+]] = repro.slice %{{.+}} start [0] limit [1]
  // CHECK: repro.broadcast
  // CHECK: repro.concat
  %0 = onnx.Pad.v19(%x, %pads) {mode = "edge"} : (tensor<4xf32>, tensor<2xi64>) -> tensor<6xf32>
  // CHECK: %[[W:.+]] = repro.slice %{{.+}} start [2] limit [4]
  // CHECK: repro.concat %[[W]]
  %1 = onnx.Pad.v19(%x, %pads) {mode = "wrap"} : (tensor<4xf32>, tensor<2xi64>) -> tensor<6xf32>
  return %0, %1 : tensor<6xf32>, tensor<6xf32>
}

// CHECK-LABEL: @center
func.func @center(%x: tensor<5x2xf32>) -> tensor<2x5xf32> {
  %shape = onnx.constant dense<[2, 5]> : tensor<2xi64>
  // CHECK: %[[S:.+]] = repro.slice %{{.+}} start [1, 0] limit [3, 2]
  // CHECK: repro.pad %[[S]], %{{.+}} low [0, 1] high [0, 2]
  %0 = onnx.CenterCropPad.v18(%x, %shape) : (tensor<5x2xf32>, tensor<2xi64>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
