// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @concat
func.func @concat(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>) -> tensor<2x4xf32> {
  // CHECK: repro.concat %{{.+}}, %{{.+}} dim 1
  %0 = onnx.Concat.v13(%a, %b) {axis = -1 : i64} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: @split
func.func @split(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x2xf32>) {
  // CHECK: repro.slice %{{.+}} start [0, 0] limit [2, 3] stride [1, 1]
  // CHECK: repro.slice %{{.+}} start [0, 3] limit [2, 5] stride [1, 1]
  %0:2 = onnx.Split.v18(%x) {axis = 1 : i64, num_outputs = 2 : i64}
      : (tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x2xf32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: @slice_1
func.func @slice_1(%x: tensor<4x5xf32>) -> tensor<4x2xf32> {
  // CHECK: repro.slice %{{.+}} start [0, 2] limit [4, 4] stride [1, 1]
  %0 = onnx.Slice.v1(%x) {starts = array<i64: -3>, ends = array<i64: -1>, axes = array<i64: 1>}
      : (tensor<4x5xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Ends far outside are clamped; a step of -2 from the end takes 4, 2 and 0.
// CHECK-LABEL: @slice_13
func.func @slice_13(%x: tensor<4x5xf32>) -> tensor<2x3xf32> {
  %starts = onnx.constant dense<[1, -1]> : tensor<2xi64>
  %ends = onnx.constant dense<[9223372036854775807, -9223372036854775807]> : tensor<2xi64>
  %axes = onnx.constant dense<[0, 1]> : tensor<2xi64>
  %steps = onnx.constant dense<[2, -2]> : tensor<2xi64>
  // CHECK: %[[S:.+]] = repro.slice %{{.+}} start [1, 0] limit [4, 5] stride [2, 2]
  // CHECK: repro.reverse %[[S]] dims [1]
  %0 = onnx.Slice.v13(%x, %starts, %ends, %axes, %steps)
      : (tensor<4x5xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Backwards from before the first element: that one, as ONNX clamps the start.
// CHECK-LABEL: @slice_before
func.func @slice_before(%x: tensor<4xf32>) -> tensor<1xf32> {
  %starts = onnx.constant dense<-100> : tensor<1xi64>
  %ends = onnx.constant dense<-200> : tensor<1xi64>
  %axes = onnx.constant dense<0> : tensor<1xi64>
  %steps = onnx.constant dense<-1> : tensor<1xi64>
  // CHECK: repro.slice %{{.*}} [0] {{.*}} : tensor<4xf32> to tensor<1xf32>
  %0 = onnx.Slice.v13(%x, %starts, %ends, %axes, %steps)
      : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// Steps past the end take the first element alone, however large they are.
// CHECK-LABEL: @slice_far
func.func @slice_far(%x: tensor<4xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %one = onnx.constant dense<1> : tensor<1xi64>
  %high = onnx.constant dense<9223372036854775807> : tensor<1xi64>
  %low = onnx.constant dense<-9223372036854775808> : tensor<1xi64>
  %axes = onnx.constant dense<0> : tensor<1xi64>
  // CHECK: repro.slice %{{.*}} start [1] limit [4] stride [5]
  %0 = onnx.Slice.v13(%x, %one, %high, %axes, %high)
      : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xf32>
  // CHECK: repro.slice %{{.*}} start [1] limit [2] stride [5]
  %1 = onnx.Slice.v13(%x, %one, %low, %axes, %low)
      : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xf32>
  return %0, %1 : tensor<1xf32>, tensor<1xf32>
}

// Constant indices are slices.
// CHECK-LABEL: @gather
func.func @gather(%x: tensor<2x5xf32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
  %last = onnx.constant dense<-1> : tensor<i64>
  %some = onnx.constant dense<[1, 2, 0]> : tensor<3xi64>
  // CHECK: %[[L:.+]] = repro.slice %{{.+}} start [0, 4] limit [2, 5]
  // CHECK: repro.reshape %[[L]] : tensor<2x1xf32> to tensor<2xf32>
  %0 = onnx.Gather.v13(%x, %last) {axis = 1 : i64} : (tensor<2x5xf32>, tensor<i64>) -> tensor<2xf32>
  // CHECK: %[[A:.+]] = repro.slice %{{.+}} start [0, 1] limit [2, 3]
  // CHECK: %[[B:.+]] = repro.slice %{{.+}} start [0, 0] limit [2, 1]
  // CHECK: repro.concat %[[A]], %[[B]] dim 1
  %1 = onnx.Gather.v13(%x, %some) {axis = 1 : i64} : (tensor<2x5xf32>, tensor<3xi64>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2xf32>, tensor<2x3xf32>
}
