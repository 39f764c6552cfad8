// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-choose-layouts{always}))' --check-bits=all | FileCheck %s

#stem = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5 - 3, d3 * 2 + d6 - 3)>
#inside = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 2 + d6)>
#filter = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>

// CHECK-DAG: #[[$STEM:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 2 + d6 + 1)>
// CHECK-DAG: #[[$INSIDE:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 2 + d6)>
// CHECK-DAG: #[[$LAST:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 * 2 + d5, d3 * 2 + d6, d4)>
// CHECK-DAG: #[[$RESULT:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d3, d1)>

// An image of few channels stays as it is. A copy has zeros around it; those
// before a row are as many as leave its vectors whole.
// CHECK-LABEL: func.func @stem
// CHECK: %[[X:.+]] = repro.pad %arg0, %{{.+}} low [0, 0, 3, 4] high [0, 0, 2, 2] interior [0, 0, 0, 0] : tensor<1x3x12x12xf32>, tensor<f32> to tensor<1x3x17x18xf32>
// CHECK: repro.contract %[[X]], %arg1 {{.*}} maps [#[[$STEM]], #{{.+}}, #[[$RESULT]]] bounds [in, in]
func.func @stem(%x: tensor<1x3x12x12xf32>, %w: tensor<16x3x7x7xf32>) -> tensor<1x16x6x6xf32> {
  %c = repro.contract %x, %w domain <[1, 16, 6, 6, 3, 7, 7], reduce [4, 5, 6]> maps [#stem, #filter, #result]
    bounds [zero, in] order sequential : tensor<1x3x12x12xf32>, tensor<16x3x7x7xf32> -> tensor<1x16x6x6xf32>
  return %c : tensor<1x16x6x6xf32>
}

// Without elements out of bounds there is nothing to copy.
// CHECK-LABEL: func.func @inside
// CHECK-NOT: repro.pad
// CHECK: repro.contract %arg0, %arg1 {{.*}} maps [#[[$INSIDE]], #{{.+}}, #[[$RESULT]]] bounds [in, in]
func.func @inside(%x: tensor<1x3x13x13xf32>, %w: tensor<16x3x3x3xf32>) -> tensor<1x16x6x6xf32> {
  %c = repro.contract %x, %w domain <[1, 16, 6, 6, 3, 3, 3], reduce [4, 5, 6]> maps [#inside, #filter, #result]
    bounds [in, in] order sequential : tensor<1x3x13x13xf32>, tensor<16x3x3x3xf32> -> tensor<1x16x6x6xf32>
  return %c : tensor<1x16x6x6xf32>
}

// Windows read pixels that are 1024 elements apart. A copy has them elsewhere.
// CHECK-LABEL: func.func @aliased
// CHECK: %[[T:.+]] = repro.transpose %arg0 [0, 2, 3, 1]
// CHECK: %[[X:.+]] = repro.pad %[[T]], %{{.+}} low [0, 0, 0, 0] high [0, 0, 0, 16] interior [0, 0, 0, 0] : tensor<1x5x5x512xf32>, tensor<f32> to tensor<1x5x5x528xf32>
// CHECK: repro.contract %[[X]], %arg1 {{.*}} maps [#[[$LAST]], #{{.+}}, #[[$RESULT]]] bounds [in, in]
func.func @aliased(%x: tensor<1x512x5x5xf32>, %w: tensor<128x512x3x3xf32>) -> tensor<1x128x2x2xf32> {
  %c = repro.contract %x, %w domain <[1, 128, 2, 2, 512, 3, 3], reduce [4, 5, 6]> maps [#inside, #filter, #result]
    bounds [in, in] order sequential : tensor<1x512x5x5xf32>, tensor<128x512x3x3xf32> -> tensor<1x128x2x2xf32>
  return %c : tensor<1x128x2x2xf32>
}

// Points that are skipped are no zeros.
// CHECK-LABEL: func.func @skips
// CHECK-NOT: repro.pad
// CHECK: bounds [skip, in]
func.func @skips(%x: tensor<1x3x12x12xf32>, %w: tensor<16x3x7x7xf32>) -> tensor<1x16x6x6xf32> {
  %c = repro.contract %x, %w domain <[1, 16, 6, 6, 3, 7, 7], reduce [4, 5, 6]> maps [#stem, #filter, #result]
    bounds [skip, in] order sequential : tensor<1x3x12x12xf32>, tensor<16x3x7x7xf32> -> tensor<1x16x6x6xf32>
  return %c : tensor<1x16x6x6xf32>
}
