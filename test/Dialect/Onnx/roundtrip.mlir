// RUN: gensyn-opt %s --verify-roundtrip | FileCheck %s
// RUN: gensyn-opt %s --mlir-print-op-generic | gensyn-opt | FileCheck %s

// CHECK: module attributes {onnx.opsets = {ai.onnx = 17 : i64, ai.onnx.ml = 3 : i64}}
module attributes {onnx.opsets = {ai.onnx = 17 : i64, ai.onnx.ml = 3 : i64}} {

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<?x8xf32, ["batch", ""]> {gensyn.role = "input", onnx.name = "x"}
// CHECK-SAME: onnx.data = #onnx.external<file = "w.data", offset = 64, length = 128, hash = "0fc6c3c9544eadf86e393ffdedfeb95ac3d0e1f0b2e12e218dddb645e1564e65">
func.func @main(%x: tensor<?x8xf32, ["batch", ""]> {onnx.name = "x", gensyn.role = "input"},
                %w: tensor<8x4xf32> {onnx.name = "w", gensyn.role = "parameter",
    onnx.data = #onnx.external<file = "w.data", offset = 64, length = 128, hash = "0fc6c3c9544eadf86e393ffdedfeb95ac3d0e1f0b2e12e218dddb645e1564e65">})
    -> (!onnx.unknown {onnx.name = "y"}) {
  // CHECK: onnx.MatMul.v13(%{{.*}}, %{{.*}}) : (tensor<?x8xf32, ["batch", ""]>, tensor<8x4xf32>) -> !onnx.unknown
  %0 = onnx.MatMul.v13(%x, %w) : (tensor<?x8xf32, ["batch", ""]>, tensor<8x4xf32>) -> !onnx.unknown
  // CHECK: onnx.LeakyRelu.v16(%{{.*}}) {alpha = 1.000000e-01 : f32}
  %1 = onnx.LeakyRelu.v16(%0) {alpha = 1.000000e-01 : f32} : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.constant dense<[2, -1]> : tensor<2xi64>
  %shape = onnx.constant dense<[2, -1]> : tensor<2xi64>
  // CHECK: onnx.Reshape.v14(%{{.*}}, %{{.*}}) {allowzero = 1 : i64, other.note = "kept"}
  %2 = onnx.Reshape.v14(%1, %shape) {allowzero = 1 : i64, other.note = "kept"}
      : (!onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  return %2 : !onnx.unknown
}

// CHECK-LABEL: func.func @symbolic
// CHECK-SAME: onnx.data = #onnx.symbolic<name = "w", seed = 18446744073709551615, center = 0, exponent = -12>
func.func @symbolic(%w: tensor<8x4xbf16> {onnx.name = "w",
    onnx.data = #onnx.symbolic<name = "w", seed = 18446744073709551615, center = 0, exponent = -12>}) {
  return
}

// CHECK-LABEL: func.func @absent
func.func @absent(%x: tensor<4xf32>, %max: tensor<f32>) -> tensor<4xf32> {
  // CHECK: %[[NONE:.*]] = onnx.none
  %none = onnx.none
  // CHECK: onnx.Clip.v13(%{{.*}}, %[[NONE]], %{{.*}}) : (tensor<4xf32>, none, tensor<f32>) -> tensor<4xf32>
  %y = onnx.Clip.v13(%x, %none, %max) : (tensor<4xf32>, none, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @subgraphs
func.func @subgraphs(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: onnx.If.v16(%{{.*}}) else_branch {
  // CHECK:   onnx.yield %{{.*}} : tensor<4xf32>
  // CHECK: } then_branch {
  %y = onnx.If.v16(%c) else_branch {
    onnx.yield %x : tensor<4xf32>
  } then_branch {
    %0 = onnx.Neg.v13(%x) : (tensor<4xf32>) -> tensor<4xf32>
    onnx.yield %0 : tensor<4xf32>
  } : (tensor<i1>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @types
// CHECK-SAME: tensor<3x!onnx.string>
// CHECK-SAME: !onnx.seq<tensor<2xf32>>
// CHECK-SAME: !onnx.opt<tensor<2xui8>>
// CHECK-SAME: !onnx.map<i64, tensor<f32>>
// CHECK-SAME: !onnx.sparse<tensor<3x3xf32>>
func.func @types(%a: tensor<3x!onnx.string>, %b: !onnx.seq<tensor<2xf32>>,
                 %c: !onnx.opt<tensor<2xui8>>, %d: !onnx.map<i64, tensor<f32>>,
                 %e: !onnx.sparse<tensor<3x3xf32>>) {
  return
}

// CHECK-LABEL: func.func @others
func.func @others(%x: tensor<4xf32>) -> (tensor<4xf32>, !onnx.unknown) {
  // CHECK: onnx.ml.Scaler.v1(%{{.*}}) {offset = array<f32: 1.000000e+00>, scale = array<f32: 2.000000e+00>}
  %0 = onnx.ml.Scaler.v1(%x) {offset = array<f32: 1.0>, scale = array<f32: 2.0>}
      : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: onnx.custom "com.example" "Frobnicate"(%{{.*}}) {level = 3 : i64} : (tensor<4xf32>) -> !onnx.unknown
  %1 = onnx.custom "com.example" "Frobnicate" (%0) {level = 3 : i64}
      : (tensor<4xf32>) -> !onnx.unknown
  return %0, %1 : tensor<4xf32>, !onnx.unknown
}
}
