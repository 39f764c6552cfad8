// RUN: gensyn-opt %s --convert-onnx-to-repro --split-input-file --verify-diagnostics | FileCheck %s

// One contraction with the inputs of all times, then a loop with the contraction of the state. The
// outputs of the times are unused, so they are not kept.
// CHECK-LABEL: @lstm
// CHECK: %[[P:.+]] = repro.contract {{.*}} : tensor<12x2xf32>, tensor<20x2xf32> -> tensor<12x20xf32>
// CHECK: %[[X:.+]] = repro.reshape %{{.+}} : tensor<12x20xf32> to tensor<4x3x20xf32>
// CHECK: repro.loop trips 4 (%[[I:.+]], %[[H:.+]] = %{{.+}} : tensor<3x5xf32>, %[[C:.+]] = %{{.+}} : tensor<3x5xf32>) invariant (%[[Y:.+]] = %[[X]] : tensor<4x3x20xf32>, %[[R:.+]] = %{{.+}} : tensor<20x5xf32>)
// CHECK-NEXT: repro.gather %[[Y]][%[[I]]]
// CHECK-NEXT: repro.contract %[[H]], %[[R]]
// CHECK-NOT: repro.scatter
func.func @lstm(%x: tensor<4x3x2xf32>, %w: tensor<1x20x2xf32>, %r: tensor<1x20x5xf32>) -> tensor<1x3x5xf32> {
  %y:3 = onnx.LSTM.v22(%x, %w, %r) {hidden_size = 5 : i64} : (tensor<4x3x2xf32>, tensor<1x20x2xf32>, tensor<1x20x5xf32>) -> (tensor<4x1x3x5xf32>, tensor<1x3x5xf32>, tensor<1x3x5xf32>)
  return %y#1 : tensor<1x3x5xf32>
}

// -----

func.func @shapes(%x: tensor<4x3x2xf32>, %w: tensor<1x20x2xf32>, %r: tensor<1x15x5xf32>) -> tensor<1x3x5xf32> {
  // expected-error @+1 {{R is float32[1,15,5], expected float32[1,20,5]}}
  %y:3 = onnx.LSTM.v22(%x, %w, %r) {hidden_size = 5 : i64} : (tensor<4x3x2xf32>, tensor<1x20x2xf32>, tensor<1x15x5xf32>) -> (tensor<4x1x3x5xf32>, tensor<1x3x5xf32>, tensor<1x3x5xf32>)
  return %y#1 : tensor<1x3x5xf32>
}

// -----

func.func @activation(%x: tensor<4x3x2xf32>, %w: tensor<1x5x2xf32>, %r: tensor<1x5x5xf32>) -> tensor<1x3x5xf32> {
  // expected-error @+1 {{there is no activation 'frob'}}
  %y:2 = onnx.RNN.v22(%x, %w, %r) {hidden_size = 5 : i64, activations = ["Frob"]} : (tensor<4x3x2xf32>, tensor<1x5x2xf32>, tensor<1x5x5xf32>) -> (tensor<4x1x3x5xf32>, tensor<1x3x5xf32>)
  return %y#1 : tensor<1x3x5xf32>
}
