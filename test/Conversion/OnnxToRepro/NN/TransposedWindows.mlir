// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-DAG: #[[$X:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d5, d3 - d6)>
// CHECK-DAG: #[[$W:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d5, d2, d6 * 2 + d4)>
// CHECK-DAG: #[[$Y:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3 * 2 + d4 - 1)>
// CHECK-DAG: #[[$COLUMNS:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2 - d3{{.*}})>
// CHECK-DAG: #[[$IMAGE:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2{{.*}})>

// Element i is 2 q + r - 1: two phases, in each of them the taps that reach it.
// CHECK-LABEL: @transposed
func.func @transposed(%x: tensor<1x4x5xf32>, %w: tensor<4x2x3xf32>, %b: tensor<2xf32>) -> tensor<1x2x10xf32> {
  // CHECK: %[[C:.+]] = repro.contract %{{.+}}, %{{.+}} domain <[1, 1, 2, 6, 2, 4, 2], reduce [5, 6]>
  // CHECK-SAME: maps [#[[$X]], #[[$W]], #[[$Y]]] bounds [zero, skip] : {{.+}} -> tensor<1x1x2x10xf32>
  // CHECK: repro.reshape %[[C]] : tensor<1x1x2x10xf32> to tensor<1x2x10xf32>
  // CHECK: repro.add
  %0 = onnx.ConvTranspose.v11(%x, %w, %b) {strides = array<i64: 2>, pads = array<i64: 1, 1>, output_padding = array<i64: 1>}
      : (tensor<1x4x5xf32>, tensor<4x2x3xf32>, tensor<2xf32>) -> tensor<1x2x10xf32>
  return %0 : tensor<1x2x10xf32>
}

// CHECK-LABEL: @col2im
func.func @col2im(%x: tensor<1x3x4xf32>) -> tensor<1x1x6xf32> {
  %image = onnx.constant dense<6> : tensor<1xi64>
  %block = onnx.constant dense<3> : tensor<1xi64>
  // CHECK: %[[X:.+]] = repro.reshape %{{.+}} : tensor<1x3x4xf32> to tensor<1x1x3x4xf32>
  // CHECK: repro.reduce{{ +}}sum %[[X]] {{.+}} maps [#[[$COLUMNS]], #[[$IMAGE]]]
  %0 = onnx.Col2Im.v18(%x, %image, %block) : (tensor<1x3x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x1x6xf32>
  return %0 : tensor<1x1x6xf32>
}
