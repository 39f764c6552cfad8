// RUN: gensyn-opt %s --onnx-infer-shapes --convert-onnx-to-repro --split-input-file | FileCheck %s

// Values from outside a branch become captures.
// CHECK-LABEL: @branch
// CHECK: repro.if %{{.+}} (%[[X:.+]] = %arg1 : tensor<3xf32>, %[[Y:.+]] = %arg2 : tensor<3xf32>) -> (tensor<3xf32>) {
// CHECK: repro.add %[[X]], %[[Y]]
// CHECK: } else {
// CHECK: repro.neg %[[X]]
func.func @branch(%p: tensor<i1>, %x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %z = "onnx.If.v21"(%p) ({
    %b = onnx.Neg.v13(%x) : (tensor<3xf32>) -> tensor<3xf32>
    onnx.yield %b : tensor<3xf32>
  }, {
    %a = onnx.Add.v14(%x, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.yield %a : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

// A known condition leaves only its branch, even if the other one has another shape.
// CHECK-LABEL: @knownBranch
// CHECK-NOT: repro.if
// CHECK: repro.reshape %arg0 : tensor<6xf32> to tensor<3x2xf32>
func.func @knownBranch(%x: tensor<6xf32>) -> tensor<3x2xf32> {
  %p = onnx.constant dense<true> : tensor<i1>
  %z = "onnx.If.v21"(%p) ({
    %b = onnx.Neg.v13(%x) : (tensor<6xf32>) -> tensor<6xf32>
    onnx.yield %b : tensor<6xf32>
  }, {
    %s = onnx.constant dense<[3, 2]> : tensor<2xi64>
    %a = onnx.Reshape.v21(%x, %s) : (tensor<6xf32>, tensor<2xi64>) -> tensor<3x2xf32>
    onnx.yield %a : tensor<3x2xf32>
  }) : (tensor<i1>) -> !onnx.unknown
  %y = "onnx.Identity.v21"(%z) : (!onnx.unknown) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

// Rows are written to a carried buffer; the flag is known to be true.
// CHECK-LABEL: @rows
// CHECK: repro.loop trips 4 (%[[I:.+]], %[[A:.+]] = %arg0 : tensor<2xf32>, %[[T:.+]] = %{{.+}} : tensor<4x2xf32>) invariant (%[[W:.+]] = %arg1 : tensor<2xf32>)
// CHECK: %[[B:.+]] = repro.add %[[A]], %[[W]]
// CHECK: %[[N:.+]] = repro.scatter set %[[T]], %[[B]][%[[I]]]
// CHECK: repro.yield %[[B]], %[[N]]
func.func @rows(%x: tensor<2xf32>, %w: tensor<2xf32>) -> (tensor<2xf32>, tensor<4x2xf32>) {
  %n = onnx.constant dense<4> : tensor<i64>
  %yes = onnx.constant dense<true> : tensor<i1>
  %z:2 = "onnx.Loop.v21"(%n, %yes, %x) ({
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<2xf32>):
    %b = onnx.Add.v14(%a, %w) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    onnx.yield %go, %b, %b : tensor<i1>, tensor<2xf32>, tensor<2xf32>
  }) : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> (tensor<2xf32>, tensor<4x2xf32>)
  return %z#0, %z#1 : tensor<2xf32>, tensor<4x2xf32>
}

// -----

// CHECK-LABEL: @until
// CHECK: repro.loop trips 9 while %{{.+}} (%{{.+}}, %[[A:.+]] = %arg0 : tensor<f32>) invariant
func.func @until(%x: tensor<f32>, %bound: tensor<f32>) -> tensor<f32> {
  %n = onnx.constant dense<9> : tensor<i64>
  %yes = onnx.constant dense<true> : tensor<i1>
  %z = "onnx.Loop.v21"(%n, %yes, %x) ({
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<f32>):
    %b = onnx.Add.v14(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %next = onnx.Less.v13(%b, %bound) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    onnx.yield %next, %b : tensor<i1>, tensor<f32>
  }) : (tensor<i64>, tensor<i1>, tensor<f32>) -> tensor<f32>
  return %z : tensor<f32>
}
