// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-DAG: #[[$ROWS:.+]] = affine_map<(d0, d1, d2)[s0] -> (s0, d2)>
// CHECK-DAG: #[[$FIRST:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$ALONG:.+]] = affine_map<(d0, d1)[s0] -> (d0, s0)>
// CHECK-DAG: #[[$SAME:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$TUPLE:.+]] = affine_map<(d0)[s0, s1] -> (s0, s1)>
// CHECK-DAG: #[[$POINT:.+]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[$BATCH:.+]] = affine_map<(d0, d1)[s0] -> (d0, s0, d1)>

// Negative indices count from the end.
// CHECK-LABEL: @gather
func.func @gather(%t: tensor<9x4xf16>, %i: tensor<2x3xi64>) -> tensor<2x3x4xf16> {
  // CHECK: %[[N:.+]] = repro.compare{{ +}}lt %arg1
  // CHECK: %[[M:.+]] = repro.add %arg1
  // CHECK: %[[I:.+]] = repro.select %[[N]], %[[M]], %arg1
  // CHECK: repro.gather %arg0[%[[I]]] maps [#[[$ROWS]], #[[$FIRST]]] bounds fault : tensor<9x4xf16>, tensor<2x3xi64> -> tensor<2x3x4xf16>
  %0 = onnx.Gather.v13(%t, %i) : (tensor<9x4xf16>, tensor<2x3xi64>) -> tensor<2x3x4xf16>
  return %0 : tensor<2x3x4xf16>
}

// Before version 11 they were errors.
// CHECK-LABEL: @gather_v1
func.func @gather_v1(%t: tensor<9x4xf32>, %i: tensor<2x3xi64>) -> tensor<2x3x4xf32> {
  // CHECK-NEXT: repro.gather %arg0[%arg1]
  %0 = onnx.Gather.v1(%t, %i) : (tensor<9x4xf32>, tensor<2x3xi64>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @elements
func.func @elements(%t: tensor<2x9xf32>, %u: tensor<2x3xf32>, %i: tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x9xf32>) {
  // CHECK: repro.gather %arg0[%{{.+}}] maps [#[[$ALONG]], #[[$SAME]]] bounds fault
  %0 = onnx.GatherElements.v13(%t, %i) {axis = 1 : i64} : (tensor<2x9xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
  // CHECK: repro.scatter max %arg0, %arg1[%{{.+}}] maps [#[[$ALONG]], #[[$SAME]]] bounds fault
  %1 = onnx.ScatterElements.v18(%t, %i, %u) {axis = -1 : i64, reduction = "max"} : (tensor<2x9xf32>, tensor<2x3xi32>, tensor<2x3xf32>) -> tensor<2x9xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x9xf32>
}

// CHECK-LABEL: @nd
func.func @nd(%t: tensor<5x9xf32>, %u: tensor<3xf32>, %i: tensor<3x2xi64>, %d: tensor<3x9x4xf32>, %j: tensor<3x1xi64>)
    -> (tensor<3xf32>, tensor<5x9xf32>, tensor<3x4xf32>) {
  // CHECK: repro.gather %arg0[%{{.+}}, %{{.+}}] maps [#[[$TUPLE]], #[[$POINT]], #[[$POINT]]] bounds fault
  %0 = onnx.GatherND.v13(%t, %i) : (tensor<5x9xf32>, tensor<3x2xi64>) -> tensor<3xf32>
  // CHECK: repro.scatter{{ +}}set %arg0, %arg1[%{{.+}}, %{{.+}}] maps [#[[$TUPLE]], #[[$POINT]], #[[$POINT]]] bounds fault
  %1 = onnx.ScatterND.v13(%t, %i, %u) : (tensor<5x9xf32>, tensor<3x2xi64>, tensor<3xf32>) -> tensor<5x9xf32>
  // CHECK: repro.gather %arg3[%{{.+}}] maps [#[[$BATCH]]
  %2 = onnx.GatherND.v13(%d, %j) {batch_dims = 1 : i64} : (tensor<3x9x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<5x9xf32>, tensor<3x4xf32>
}
