// RUN: gensyn-opt %s --pass-pipeline='builtin.module(onnx-inline-unconvertible)' | FileCheck %s

// Relu has a conversion and stays; SwiGLU has none and is expanded.
module attributes {onnx.opsets = {ai.onnx = 28 : i64}} {
  // CHECK-LABEL: func.func @main
  func.func @main(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
    // CHECK: onnx.Relu
    %0 = onnx.Relu.v14(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    // CHECK-NOT: onnx.SwiGLU
    // CHECK: onnx.Mul
    %1 = onnx.SwiGLU.v28(%0, %y) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
}
