// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-DAG: #[[$BIK:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[$JK:.+]] = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// CHECK-DAG: #[[$BIJ:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[$DIAGONAL:.+]] = affine_map<(d0) -> (d0, d0)>

// CHECK-LABEL: @product
func.func @product(%a: tensor<5x2x3xf32>, %b: tensor<4x3xf32>) -> tensor<5x2x4xf32> {
  // CHECK: repro.contract %{{.+}}, %{{.+}} domain <[5, 2, 4, 3], reduce [3]> maps [#[[$BIK]], #[[$JK]], #[[$BIJ]]]
  // CHECK-NEXT: return
  %0 = onnx.Einsum.v12(%a, %b) {equation = "bik, jk -> bij"} : (tensor<5x2x3xf32>, tensor<4x3xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}

// Implicit output: the labels that occur once, sorted. The ellipsis stretches.
// CHECK-LABEL: @ellipsis
func.func @ellipsis(%a: tensor<1x2x3xf32>, %b: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  // CHECK: repro.reshape %{{.+}} : tensor<1x2x3xf32> to tensor<2x3xf32>
  // CHECK: repro.contract %{{.+}}, %{{.+}} domain <[5, 2, 4, 3], reduce [3]>
  %0 = onnx.Einsum.v12(%a, %b) {equation = "...ik,...kj"} : (tensor<1x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}

// CHECK-LABEL: @diagonal
func.func @diagonal(%a: tensor<3x3xf32>) -> tensor<3xf32> {
  // CHECK: repro.contract {{.+}} domain <[3], reduce []> maps [#[[$DIAGONAL]],
  %0 = onnx.Einsum.v12(%a) {equation = "ii->i"} : (tensor<3x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// From left to right.
// CHECK-LABEL: @three
func.func @three(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<4x5xf32>) -> tensor<2x5xf32> {
  // CHECK: %[[AB:.+]] = repro.contract {{.+}} domain <[2, 4, 3], reduce [2]>
  // CHECK: repro.contract %[[AB]], %{{.+}} domain <[2, 5, 4], reduce [2]>
  %0 = onnx.Einsum.v12(%a, %b, %c) {equation = "ij,jk,kl->il"}
      : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
