// RUN: gensyn-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(onnx-use-batch-statistics)" | FileCheck %s

// Each with its own momentum; one that trains stays. Statistics may be buffers
// that the exporter notes as such.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.+]]:3 = onnx.BatchNormalization.v15(%arg0, %arg1, %arg1, %arg2, %arg3) {epsilon = 1.000000e-03 : f32, momentum = 7.500000e-01 : f32, training_mode = 1 : i64}
// CHECK-SAME: -> (tensor<2x3xf16>, tensor<3xf32>, tensor<3xf32>)
// CHECK: %[[B:.+]]:3 = onnx.BatchNormalization.v14(%[[A]]#0, %arg1, %arg1, %arg2, %arg3) {training_mode = 1 : i64}
// CHECK: %[[C:.+]]:3 = onnx.BatchNormalization.v15(%[[B]]#0, %arg1, %arg1, %arg2, %arg3) {training_mode = 1 : i64}
// CHECK: return %[[C]]#0, %[[C]]#1
func.func @main(%x: tensor<2x3xf16> {gensyn.role = "input"}, %c: tensor<3xf16> {gensyn.role = "parameter"},
                %m: tensor<3xf32> {gensyn.role = "parameter"}, %v: tensor<3xf32> {gensyn.role = "constant"})
    -> (tensor<2x3xf16>, tensor<3xf32>) {
  %0 = onnx.BatchNormalization.v15(%x, %c, %c, %m, %v) {epsilon = 1.000000e-03 : f32, momentum = 7.500000e-01 : f32}
      : (tensor<2x3xf16>, tensor<3xf16>, tensor<3xf16>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf16>
  %1 = onnx.BatchNormalization.v14(%0, %c, %c, %m, %v) {training_mode = 0 : i64}
      : (tensor<2x3xf16>, tensor<3xf16>, tensor<3xf16>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf16>
  %2:3 = onnx.BatchNormalization.v15(%1, %c, %c, %m, %v) {training_mode = 1 : i64}
      : (tensor<2x3xf16>, tensor<3xf16>, tensor<3xf16>, tensor<3xf32>, tensor<3xf32>)
      -> (tensor<2x3xf16>, tensor<3xf32>, tensor<3xf32>)
  return %2#0, %2#1 : tensor<2x3xf16>, tensor<3xf32>
}

// -----

// Before version 14 the results say it, not an attribute.
// CHECK-LABEL: func.func @main
// CHECK: :3 = onnx.BatchNormalization.v9(%arg0, %arg1, %arg1, %arg2, %arg2) : (
// CHECK: :3 = onnx.BatchNormalization.v7(%{{.+}}#0, %arg1, %arg1, %arg2, %arg2) : (
// CHECK: :5 = onnx.BatchNormalization.v9
func.func @main(%x: tensor<2x3xf32>, %c: tensor<3xf32>, %m: tensor<3xf32> {gensyn.role = "parameter"}) -> tensor<2x3xf32> {
  %0 = onnx.BatchNormalization.v9(%x, %c, %c, %m, %m)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = onnx.BatchNormalization.v7(%0, %c, %c, %m, %m)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2:5 = onnx.BatchNormalization.v9(%1, %c, %c, %m, %m)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %2#0 : tensor<2x3xf32>
}

// -----

// expected-error @below {{recipe: 'batch_norm' is 'train', and the model has no BatchNormalization}}
// expected-note @below {{exporters fold it into its neighbours}}
module {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    return %x : tensor<2x3xf32>
  }
}

// -----

func.func @main(%x: tensor<2x3xf32>, %m: tensor<3xf32> {gensyn.role = "parameter"},
                %v: tensor<3xf32> {gensyn.role = "input"}) -> tensor<2x3xf32> {
  // expected-error @below {{has a mean or a variance that is not an initializer}}
  %0 = onnx.BatchNormalization.v15(%x, %m, %m, %m, %v)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %m: tensor<3xf32> {gensyn.role = "parameter"}, %b: tensor<i1>) -> tensor<2x3xf32> {
  %0 = onnx.If.v16(%b) else_branch {
    // expected-error @below {{is in a subgraph, where no running statistics are kept}}
    %1 = onnx.BatchNormalization.v15(%x, %m, %m, %m, %m)
        : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    onnx.yield %1 : tensor<2x3xf32>
  } then_branch {
    onnx.yield %x : tensor<2x3xf32>
  } : (tensor<i1>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %m: tensor<3xf32> {gensyn.role = "parameter"}) -> (tensor<2x3xf32>, tensor<3xf32>) {
  // expected-error @below {{has outputs that exist in training mode only}}
  %0:2 = onnx.BatchNormalization.v15(%x, %m, %m, %m, %m)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<3xf32>
}
