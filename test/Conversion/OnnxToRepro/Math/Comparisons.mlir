// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-LABEL: @compare
func.func @compare(%a: tensor<2x4xf32>, %b: tensor<4xf32>) -> (tensor<2x4xi1>, tensor<2x4xi1>) {
  // CHECK: %[[B:.+]] = repro.broadcast %{{.+}} dims [1]
  // CHECK: repro.compare{{ +}}gt %{{.+}}, %[[B]] : tensor<2x4xf32>
  %0 = onnx.Greater.v13(%a, %b) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  // CHECK: repro.compare{{ +}}le
  %1 = onnx.LessOrEqual.v16(%a, %b) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  return %0, %1 : tensor<2x4xi1>, tensor<2x4xi1>
}

// CHECK-LABEL: @special
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>)
func.func @special(%x: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>) {
  // CHECK: repro.compare{{ +}}ne %[[X]], %[[X]]
  %0 = onnx.IsNaN.v13(%x) : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: %[[N:.+]] = repro.compare{{ +}}eq
  // CHECK-NOT: repro.or
  // CHECK: return %{{.+}}, %[[N]]
  %1 = onnx.IsInf.v10(%x) {detect_positive = 0 : i64} : (tensor<4xf32>) -> tensor<4xi1>
  return %0, %1 : tensor<4xi1>, tensor<4xi1>
}

// All three operands broadcast; bits are kept, so f16 stays.
// CHECK-LABEL: @where
func.func @where(%p: tensor<2x1xi1>, %a: tensor<3xf16>, %b: tensor<f16>) -> tensor<2x3xf16> {
  // CHECK-NOT: repro.convert
  // CHECK: repro.select %{{.+}}, %{{.+}}, %{{.+}} : tensor<2x3xf16>
  %0 = onnx.Where.v16(%p, %a, %b) : (tensor<2x1xi1>, tensor<3xf16>, tensor<f16>) -> tensor<2x3xf16>
  return %0 : tensor<2x3xf16>
}
