// RUN: gensyn-opt %s --pass-pipeline='builtin.module(convert-onnx-to-repro)' | FileCheck %s

// CHECK: module {
// CHECK-NOT: onnx
module attributes {onnx.opsets = {ai.onnx = 17 : i64}, onnx.path = "model.onnx"} {
  // CHECK-LABEL: func.func @main
  // CHECK-SAME: tensor<2x3xf32> {gensyn.name = "x", gensyn.role = "input"}
  // CHECK-SAME: tensor<3xf32> {gensyn.initial = {file = "model.onnx", hash = "{{0+}}", length = 12 : i64, offset = 120 : i64}, gensyn.name = "b", gensyn.role = "parameter"}
  // CHECK-SAME: tensor<f32> {gensyn.initial = dense<2.000000e+00> : tensor<f32>, gensyn.name = "c", gensyn.role = "constant"}
  // CHECK-SAME: tensor<9xf32> {gensyn.initial = {center = 128 : i64, exponent = -7 : i64, seed = 3 : i64, symbol = "s"}, gensyn.name = "s", gensyn.role = "parameter"}
  // CHECK-SAME: -> (tensor<2x3xf32> {gensyn.name = "y"})
  func.func @main(
      %x: tensor<2x3xf32> {onnx.name = "x", gensyn.role = "input"},
      %b: tensor<3xf32> {onnx.name = "b", gensyn.role = "parameter", onnx.data = #onnx.external<file = "model.onnx",
          offset = 120, length = 12, hash = "0000000000000000000000000000000000000000000000000000000000000000">},
      %c: tensor<f32> {onnx.name = "c", gensyn.role = "constant", onnx.data = dense<2.0> : tensor<f32>},
      %s: tensor<9xf32> {onnx.name = "s", gensyn.role = "parameter", onnx.data = #onnx.symbolic<name = "s", seed = 3, center = 128, exponent = -7>})
      -> (tensor<2x3xf32> {onnx.name = "y"}) {
    // CHECK: repro.add
    // CHECK: repro.mul
    // CHECK-NEXT: return
    %0 = onnx.Add.v14(%x, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %1 = onnx.Mul.v14(%0, %c) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    // It is unused, so it need not be supported.
    %2 = onnx.NonZero.v13(%1) : (tensor<2x3xf32>) -> tensor<2x?xi64>
    return %1 : tensor<2x3xf32>
  }
}
