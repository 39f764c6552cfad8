// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-transpose-shared))' --check-bits=all | FileCheck %s

#row = affine_map<(d0, d1, d2) -> (d0, d2)>
#column = affine_map<(d0, d1, d2) -> (d1, d2)>
#straight = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-DAG: #[[$COLUMN:.+]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$STRAIGHT:.+]] = affine_map<(d0, d1, d2) -> (d2, d1)>

// A kept input that more than two contractions read transposed; one reads it as
// it is.
// CHECK-LABEL: func.func @kept
// CHECK: %[[T:.+]] = repro.transpose %arg1 [1, 0] : tensor<5x5xf32> to tensor<5x5xf32>
// CHECK-NOT: repro.transpose
// CHECK: repro.contract %arg0, %[[T]] {{.*}} maps [#{{.+}}, #[[$STRAIGHT]], #{{.+}}]
// CHECK: repro.contract %{{.+}}, %[[T]] {{.*}} maps [#{{.+}}, #[[$STRAIGHT]], #{{.+}}]
// CHECK: repro.contract %{{.+}}, %arg1 {{.*}} maps [#{{.+}}, #[[$STRAIGHT]], #{{.+}}]
// CHECK: repro.contract %{{.+}}, %[[T]] {{.*}} maps [#{{.+}}, #[[$STRAIGHT]], #{{.+}}]
// CHECK: return
func.func @kept(%x: tensor<2x5xf32> {gensyn.role = "input"}, %w: tensor<5x5xf32> {gensyn.role = "parameter"}) -> tensor<2x5xf32> {
  %0 = repro.contract %x, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %1 = repro.contract %0, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %2 = repro.contract %1, %w domain <[2, 5, 5], reduce [2]> maps [#row, #straight, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %3 = repro.contract %2, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  return %3 : tensor<2x5xf32>
}

// Two contractions read the first; the second is not kept, and three gain too
// little; the third is computed from narrower elements, which contractions read.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: repro.transpose
// CHECK: return
func.func @stays(%x: tensor<2x5xf32> {gensyn.role = "input"}, %u: tensor<5x5xf32> {gensyn.role = "parameter"}, %v: tensor<5x5xf32> {gensyn.role = "input"}, %n: tensor<5x5xbf16> {gensyn.role = "parameter"}) -> tensor<2x5xf32> {
  %w = repro.convert %n : tensor<5x5xbf16> to tensor<5x5xf32>
  %0 = repro.contract %x, %u domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %1 = repro.contract %0, %u domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %2 = repro.contract %1, %v domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %3 = repro.contract %2, %v domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %4 = repro.contract %3, %v domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %5 = repro.contract %4, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %6 = repro.contract %5, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %7 = repro.contract %6, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  return %7 : tensor<2x5xf32>
}

// What is not kept is transposed where 11 contractions read it.
// CHECK-LABEL: func.func @changing
// CHECK: repro.transpose %arg1 [1, 0]
// CHECK-NOT: #[[$COLUMN]]
// CHECK: return
func.func @changing(%x: tensor<2x5xf32>, %w: tensor<5x5xf32>) -> tensor<2x5xf32> {
  %0 = repro.contract %x, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %1 = repro.contract %0, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %2 = repro.contract %1, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %3 = repro.contract %2, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %4 = repro.contract %3, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %5 = repro.contract %4, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %6 = repro.contract %5, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %7 = repro.contract %6, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %8 = repro.contract %7, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %9 = repro.contract %8, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  %10 = repro.contract %9, %w domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
    order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
  return %10 : tensor<2x5xf32>
}

// A factor without dimensions has no rows.
// CHECK-LABEL: func.func @scalar
// CHECK-NOT: repro.transpose
func.func @scalar(%s: tensor<f32>, %x: tensor<4x3xf32>) -> tensor<3x4xf32> {
  %0 = repro.contract %s, %x domain <[4, 3], reduce []>
      maps [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>]
      bounds [in, in] order sequential : tensor<f32>, tensor<4x3xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
