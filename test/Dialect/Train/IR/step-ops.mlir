// RUN: gensyn-opt %s | gensyn-opt | FileCheck %s
// RUN: gensyn-opt %s --mlir-print-op-generic | gensyn-opt | FileCheck %s

// CHECK-LABEL: @assign
func.func @assign(%a: tensor<3xf32>, %b: tensor<3xf32>) {
  // CHECK: train.assign %arg0 to %arg1 : tensor<3xf32>
  train.assign %a to %b : tensor<3xf32>
  return
}

// CHECK-LABEL: @accumulate
func.func @accumulate(%x: tensor<8x3xf32>, %s: tensor<3xi32>, %w: tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>) {
  // CHECK: train.accumulate 4 split(%arg0) carried(%arg1) shared(%arg2) : (tensor<8x3xf32>, tensor<3xi32>, tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>)
  %0:2 = train.accumulate 4 split(%x) carried(%s) shared(%w)
      : (tensor<8x3xf32>, tensor<3xi32>, tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>) {
  ^bb0(%i: tensor<i64>, %part: tensor<2x3xf32>, %state: tensor<3xi32>, %weight: tensor<3xf32>):
    // CHECK: train.yield %{{.+}}, %{{.+}} : tensor<3xi32>, tensor<3xf32>
    train.yield %state, %weight : tensor<3xi32>, tensor<3xf32>
  }
  return %0#0, %0#1 : tensor<3xi32>, tensor<3xf32>
}

// CHECK-LABEL: @nothing
func.func @nothing() -> tensor<f32> {
  // CHECK: train.accumulate 2 : () -> tensor<f32>
  %0 = train.accumulate 2 : () -> tensor<f32> {
  ^bb0(%i: tensor<i64>):
    %one = repro.constant dense<1.0> : tensor<f32>
    train.yield %one : tensor<f32>
  }
  return %0 : tensor<f32>
}
