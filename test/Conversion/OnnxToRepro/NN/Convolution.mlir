// RUN: gensyn-opt %s --convert-onnx-to-repro | FileCheck %s

// CHECK-DAG: #[[$X:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5 - 1, d3 * 2 + d6 - 1)>
// CHECK-DAG: #[[$W:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK-DAG: #[[$Y:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$GX:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3 + d5 * 2)>
// CHECK-DAG: #[[$GW:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4, d5)>
// CHECK-DAG: #[[$GY:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$UPPER:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2 * 2 + d4)>
// CHECK-DAG: #[[$LOWER:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2 * 2 + d4 - 1)>

// CHECK-LABEL: @conv
func.func @conv(%x: tensor<8x64x56x56xf32>, %w: tensor<128x64x3x3xf32>, %b: tensor<128xf32>)
    -> tensor<8x128x28x28xf32> {
  // CHECK: %[[C:.+]] = repro.contract %{{.+}}, %{{.+}} domain <[8, 128, 28, 28, 64, 3, 3], reduce [4, 5, 6]>
  // CHECK-SAME: maps [#[[$X]], #[[$W]], #[[$Y]]] bounds [zero, in] :
  // CHECK: %[[B:.+]] = repro.broadcast {{.+}} dims [1] : tensor<128xf32> to tensor<8x128x28x28xf32>
  // CHECK: repro.add %[[C]], %[[B]]
  %0 = onnx.Conv.v11(%x, %w, %b) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>,
      pads = array<i64: 1, 1, 1, 1>}
      : (tensor<8x64x56x56xf32>, tensor<128x64x3x3xf32>, tensor<128xf32>) -> tensor<8x128x28x28xf32>
  return %0 : tensor<8x128x28x28xf32>
}

// Groups are one more parallel iterator; without padding all reads are inside.
// CHECK-LABEL: @grouped
func.func @grouped(%x: tensor<2x4x9xf32>, %w: tensor<6x2x3xf32>) -> tensor<2x6x5xf32> {
  // CHECK: %[[X:.+]] = repro.reshape %{{.+}} : tensor<2x4x9xf32> to tensor<2x2x2x9xf32>
  // CHECK: %[[W:.+]] = repro.reshape %{{.+}} : tensor<6x2x3xf32> to tensor<2x3x2x3xf32>
  // CHECK: %[[Y:.+]] = repro.contract %[[X]], %[[W]] domain <[2, 2, 3, 5, 2, 3], reduce [4, 5]>
  // CHECK-SAME: maps [#[[$GX]], #[[$GW]], #[[$GY]]] bounds [in, in]
  // CHECK: repro.reshape %[[Y]] : tensor<2x2x3x5xf32> to tensor<2x6x5xf32>
  %0 = onnx.Conv.v22(%x, %w) {group = 2 : i64, dilations = array<i64: 2>}
      : (tensor<2x4x9xf32>, tensor<6x2x3xf32>) -> tensor<2x6x5xf32>
  return %0 : tensor<2x6x5xf32>
}

// An odd padding goes to the end.
// CHECK-LABEL: @same_upper
func.func @same_upper(%x: tensor<1x1x8xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x4xf32> {
  // CHECK: repro.contract {{.+}} maps [#[[$UPPER]], {{.+}} bounds [zero, in]
  %0 = onnx.Conv.v11(%x, %w) {auto_pad = "SAME_UPPER", strides = array<i64: 2>}
      : (tensor<1x1x8xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// CHECK-LABEL: @same_lower
func.func @same_lower(%x: tensor<1x1x8xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x4xf32> {
  // CHECK: repro.contract {{.+}} maps [#[[$LOWER]], {{.+}} bounds [zero, in]
  %0 = onnx.Conv.v11(%x, %w) {auto_pad = "SAME_LOWER", strides = array<i64: 2>}
      : (tensor<1x1x8xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}
