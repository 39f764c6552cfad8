// RUN: gensyn-opt %s --convert-onnx-to-repro --canonicalize | FileCheck %s

// CHECK-LABEL: @relu
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>)
func.func @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[Z:.+]] = repro.broadcast
  // CHECK: %[[LOW:.+]] = repro.compare{{ +}}le %[[X]], %[[Z]]
  // CHECK: repro.select %[[LOW]], %{{.+}}, %[[X]]
  %0 = onnx.Relu.v14(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The slope is broadcast, and the derivative at 0 is the slope's.
// CHECK-LABEL: @prelu
// CHECK-SAME: (%[[X:.+]]: tensor<2x3x4xf32>, %[[S:.+]]: tensor<3x1xf32>)
func.func @prelu(%x: tensor<2x3x4xf32>, %s: tensor<3x1xf32>) -> tensor<2x3x4xf32> {
  // CHECK: %[[R:.+]] = repro.reshape %[[S]] : tensor<3x1xf32> to tensor<3xf32>
  // CHECK: %[[B:.+]] = repro.broadcast %[[R]] dims [1] : tensor<3xf32> to tensor<2x3x4xf32>
  // CHECK-DAG: repro.compare{{ +}}gt %[[X]]
  // CHECK-DAG: %[[M:.+]] = repro.mul %[[B]], %[[X]]
  // CHECK: repro.select %{{.+}}, %[[X]], %[[M]]
  %0 = onnx.PRelu.v16(%x, %s) : (tensor<2x3x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// Version 6 has bounds as attributes.
// CHECK-LABEL: @clip_6
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>)
func.func @clip_6(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-DAG: repro.constant dense<-1.000000e+00>
  // CHECK-DAG: repro.constant dense<3.40282347E+38>
  // CHECK: %[[LE:.+]] = repro.compare{{ +}}le %[[X]]
  // CHECK: %[[L:.+]] = repro.select %[[LE]], %{{.+}}, %[[X]]
  // CHECK: %[[GE:.+]] = repro.compare{{ +}}ge %[[L]]
  // CHECK: repro.select %[[GE]], %{{.+}}, %[[L]]
  %0 = onnx.Clip.v6(%x) {min = -1.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// An absent bound means none.
// CHECK-LABEL: @clip_13
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>, %[[MAX:.+]]: tensor<f32>)
func.func @clip_13(%x: tensor<4xf32>, %max: tensor<f32>) -> tensor<4xf32> {
  // CHECK: %[[B:.+]] = repro.broadcast %[[MAX]]
  // CHECK-NOT: compare{{ +}}le
  // CHECK: %[[GE:.+]] = repro.compare{{ +}}ge %[[X]], %[[B]]
  // CHECK: repro.select %[[GE]], %{{.+}}, %[[X]]
  %none = onnx.none
  %0 = onnx.Clip.v13(%x, %none, %max) : (tensor<4xf32>, none, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The argument of the side not taken is clamped.
// CHECK-LABEL: @elu
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>)
func.func @elu(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[LOW:.+]] = repro.compare{{ +}}le %[[X]], %[[Z:.+]] :
  // CHECK: %[[C:.+]] = repro.select %[[LOW]], %[[X]], %{{.+}}
  // CHECK: %[[E:.+]] = repro.expm1 %[[C]]
  // CHECK: %[[S:.+]] = repro.mul %{{.+}}, %[[E]]
  // CHECK: repro.select %[[LOW]], %[[S]], %[[X]]
  %0 = onnx.Elu.v6(%x) {alpha = 2.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @hard_sigmoid
func.func @hard_sigmoid(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[T:.+]] = repro.add
  // CHECK: %[[HIGH:.+]] = repro.compare{{ +}}ge %[[T]]
  // CHECK: %[[U:.+]] = repro.select %[[HIGH]], %{{.+}}, %[[T]]
  // CHECK: %[[LOW:.+]] = repro.compare{{ +}}le %[[T]]
  // CHECK: repro.select %[[LOW]], %{{.+}}, %[[U]]
  %0 = onnx.HardSigmoid.v22(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @softplus
func.func @softplus(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[A:.+]] = repro.abs
  // CHECK: %[[N:.+]] = repro.neg %[[A]]
  // CHECK: %[[E:.+]] = repro.exp %[[N]]
  // CHECK: %[[L:.+]] = repro.log1p %[[E]]
  // CHECK: %[[M:.+]] = repro.max
  // CHECK: repro.add %[[M]], %[[L]]
  %0 = onnx.Softplus.v1(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @gelu
func.func @gelu(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: repro.div
  // CHECK: repro.erf
  %0 = onnx.Gelu.v20(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NOT: repro.erf
  // CHECK: repro.tanh
  %1 = onnx.Gelu.v20(%x) {approximate = "tanh"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @functions
func.func @functions(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: repro.sigmoid
  %0 = onnx.Sigmoid.v13(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: repro.tanh
  %1 = onnx.Tanh.v13(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
