// RUN: gensyn-opt %s --pass-pipeline="builtin.module(onnx-inline-functions{ops=LeakyRelu,Softplus})" | FileCheck %s
// RUN: gensyn-opt %s --onnx-inline-functions | FileCheck %s --check-prefix=ALL

module attributes {onnx.opsets = {ai.onnx = 17 : i64}} {
// The schema's default attribute reaches the body; the types of the body are inferred.
// CHECK-LABEL: func.func @leaky
// CHECK-NOT: LeakyRelu
// CHECK: onnx.Less
// CHECK: onnx.Mul
// CHECK: onnx.Where{{.*}} -> tensor<4xf32>
func.func @leaky(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.LeakyRelu.v16(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// An operator that is not named is kept.
// CHECK-LABEL: func.func @kept
// CHECK: onnx.Relu.v14
// ALL-LABEL: func.func @kept
// ALL-NOT: onnx.Relu
// ALL: onnx.Max
func.func @kept(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Relu.v14(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A body that depends on the node's types, and whose nodes are functions again.
// ALL-LABEL: func.func @normalize
// ALL-NOT: LayerNormalization
// ALL: onnx.Sqrt
func.func @normalize(%x: tensor<2x4xf32>, %s: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = onnx.LayerNormalization.v17(%x, %s) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
}
