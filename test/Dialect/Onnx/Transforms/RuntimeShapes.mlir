// RUN: gensyn-opt %s --onnx-infer-shapes --split-input-file --verify-diagnostics | FileCheck %s

// Sizes by scales are products in float32: 0.7 of 10 is 7, 0.3 of 10 is 3.
// A declared size that is the exact product is right too.
// CHECK-LABEL: func.func @resize
// CHECK: onnx.Resize.v19{{.*}} -> tensor<7x3xf32>
// CHECK: onnx.Resize.v19{{.*}} -> tensor<6x3xf32>
// CHECK: onnx.Upsample.v9{{.*}} -> tensor<7x23xf32>
func.func @resize(%x: tensor<10x10xf32>) -> !onnx.unknown {
  %none = onnx.none
  %scales = onnx.constant dense<[0.7, 0.3]> : tensor<2xf32>
  %more = onnx.constant dense<[0.7, 2.3]> : tensor<2xf32>
  %0 = onnx.Resize.v19(%x, %none, %scales) {mode = "linear"} : (tensor<10x10xf32>, none, tensor<2xf32>) -> !onnx.unknown
  %1 = onnx.Resize.v19(%x, %none, %scales) {mode = "linear"} : (tensor<10x10xf32>, none, tensor<2xf32>) -> tensor<6x3xf32>
  %2 = onnx.Upsample.v9(%x, %more) {mode = "linear"} : (tensor<10x10xf32>, tensor<2xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @resize_declared(%x: tensor<10xf32>) -> tensor<8xf32> {
  %none = onnx.none
  %scales = onnx.constant dense<[0.7]> : tensor<1xf32>
  // expected-error @+1 {{result #0 is declared float32[8], but it is float32[7]}}
  %0 = onnx.Resize.v19(%x, %none, %scales) {mode = "linear"} : (tensor<10xf32>, none, tensor<1xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
