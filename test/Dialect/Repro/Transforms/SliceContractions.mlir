// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-slice-contractions,canonicalize,cse))' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-slice-contractions{fewest-points=1},canonicalize,cse))' | FileCheck %s --check-prefix=EACH

// Four slices of each operand, and for each sum of their numbers a contraction
// over slices, too: those of the left operand ascend, those of the right one
// are stored in reverse.
// CHECK-DAG: #[[$LEFT:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-DAG: #[[$RIGHT:.+]] = affine_map<(d0, d1, d2, d3) -> (d2 + 3, d3, d1)>
// CHECK-DAG: #[[$RIGHT1:.+]] = affine_map<(d0, d1, d2, d3) -> (d2 + 2, d3, d1)>
// CHECK-DAG: #[[$RIGHT3:.+]] = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[X:.+]]: tensor<4x96xf32>, %[[W:.+]]: tensor<96x6xf32>
// CHECK: %[[SIZE:.+]] = repro.abs %[[X]]
// CHECK: %[[MOST:.+]] = repro.reduce max %[[SIZE]] {{.*}} : tensor<4x96xf32> -> tensor<4xf32>
// CHECK: repro.bitcast %[[MOST]]
// CHECK: %[[ROUND:.+]] = repro.round even
// CHECK: %[[INTEGERS:.+]] = repro.convert %[[ROUND]] : tensor<4x96xf32> to tensor<4x96xi32>
// CHECK: %[[ALL:.+]] = repro.broadcast %[[INTEGERS]] dims [0, 2] : tensor<4x96xi32> to tensor<4x4x96xi32>
// CHECK: repro.iota dim 1 : tensor<4x4x96xi32>
// CHECK: %[[ROUNDED:.+]] = repro.add %[[ALL]], %{{.+}} : tensor<4x4x96xi32>
// CHECK: %[[DIGITS:.+]] = repro.shr %[[ROUNDED]], %{{.+}} : tensor<4x4x96xi32>
// CHECK: %[[A:.+]] = repro.convert %[[DIGITS]] : tensor<4x4x96xi32> to tensor<4x4x96xi8>
// CHECK: repro.reduce max {{.*}} : tensor<96x6xf32> -> tensor<6xf32>
// CHECK: repro.iota dim 0 : tensor<4x96x6xi32>
// CHECK: %[[B:.+]] = repro.convert {{.*}} : tensor<4x96x6xi32> to tensor<4x96x6xi8>
// CHECK: repro.contract %[[A]], %[[B]] domain <[4, 6, 1, 96], reduce [2, 3]> maps [#[[$LEFT]], #[[$RIGHT]],
// CHECK: %[[C1:.+]] = repro.contract %[[A]], %[[B]] domain <[4, 6, 2, 96], reduce [2, 3]> maps [#[[$LEFT]], #[[$RIGHT1]],
// CHECK-SAME: : tensor<4x4x96xi8>, tensor<4x96x6xi8> -> tensor<4x6xi32>
// CHECK: repro.convert %[[C1]] : tensor<4x6xi32> to tensor<4x6xi64>
// CHECK: repro.contract {{.*}} domain <[4, 6, 3, 96], reduce [2, 3]>
// CHECK: repro.contract %[[A]], %[[B]] domain <[4, 6, 4, 96], reduce [2, 3]> maps [#[[$LEFT]], #[[$RIGHT3]],
// CHECK: %[[SUM:.+]] = repro.add {{.*}} : tensor<4x6xi64>
// CHECK: repro.convert %[[SUM]] : tensor<4x6xi64> to tensor<4x6xf32>
// CHECK: repro.select
func.func @product(%x: tensor<4x96xf32>, %w: tensor<96x6xf32>) -> tensor<4x6xf32> {
  %y = repro.contract %x, %w domain <[4, 6, 96], reduce [2]>
    maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    bounds [in, in] : tensor<4x96xf32>, tensor<96x6xf32> -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// Narrow operands have three slices, and eight products. A row is one image,
// since its pixels take part in several sums.
// CHECK-LABEL: func.func @narrow_convolution
// CHECK: repro.reduce max {{.*}} : tensor<2x8x10xf32> -> tensor<2xf32>
// CHECK: repro.convert {{.*}} to tensor<2x3x8x10xi8>
// CHECK: repro.reduce max {{.*}} : tensor<5x8x9xf32> -> tensor<5xf32>
// CHECK: repro.convert {{.*}} to tensor<5x3x8x9xi8>
// CHECK: repro.contract {{.*}} domain <[2, 5, 10, 3, 8, 9], reduce [3, 4, 5]> {{.*}} bounds [zero, in]
// CHECK: repro.contract {{.*}} domain <[2, 5, 10, 2, 8, 9], reduce [3, 4, 5]> {{.*}} bounds [zero, in]
func.func @narrow_convolution(%x: tensor<2x8x10xbf16>, %w: tensor<5x8x9xf16>) -> tensor<2x5x10xf32> {
  %y = repro.contract %x, %w domain <[2, 5, 10, 8, 9], reduce [3, 4]>
    maps [affine_map<(n, c, p, i, k) -> (n, i, p + k - 4)>, affine_map<(n, c, p, i, k) -> (c, i, k)>,
          affine_map<(n, c, p, i, k) -> (n, c, p)>]
    bounds [zero, in] : tensor<2x8x10xbf16>, tensor<5x8x9xf16> -> tensor<2x5x10xf32>
  return %y : tensor<2x5x10xf32>
}

// Of more points than an i32 has room for, the sums over slices and the outer
// ones are done in i64; if they are along one dimension, all.
// CHECK-LABEL: func.func @long
// CHECK: repro.contract {{.*}} domain <[3, 2, 1, 90000], reduce [2, 3]> {{.*}} -> tensor<3x2xi32>
// CHECK: %[[SLICES:.+]] = repro.contract {{.*}} domain <[3, 2, 2, 90000], reduce [3]> {{.*}} -> tensor<2x3x2xi32>
// CHECK: %[[WIDE:.+]] = repro.convert %[[SLICES]] : tensor<2x3x2xi32> to tensor<2x3x2xi64>
// CHECK: repro.reduce sum %[[WIDE]] {{.*}} : tensor<2x3x2xi64> -> tensor<3x2xi64>
func.func @long(%x: tensor<3x90000xf32>, %w: tensor<90000x2xf32>) -> tensor<3x2xf32> {
  %y = repro.contract %x, %w domain <[3, 2, 90000], reduce [2]>
    maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    bounds [in, in] : tensor<3x90000xf32>, tensor<90000x2xf32> -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @longer
// CHECK: repro.contract {{.*}} domain <[3, 2, 1, 200000], reduce [3]> {{.*}} -> tensor<1x3x2xi64>
func.func @longer(%x: tensor<3x200000xf32>, %w: tensor<200000x2xf32>) -> tensor<3x2xf32> {
  %y = repro.contract %x, %w domain <[3, 2, 200000], reduce [2]>
    maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    bounds [in, in] : tensor<3x200000xf32>, tensor<200000x2xf32> -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @blocks
// CHECK: repro.contract {{.*}} domain <[3, 2, 1, 60, 3000], reduce [4]> {{.*}} -> tensor<1x60x3x2xi32>
// CHECK: repro.reduce sum {{.*}} : tensor<1x60x3x2xi64> -> tensor<3x2xi64>
func.func @blocks(%x: tensor<3x60x3000xf32>, %w: tensor<60x3000x2xf32>) -> tensor<3x2xf32> {
  %y = repro.contract %x, %w domain <[3, 2, 60, 3000], reduce [2, 3]>
    maps [affine_map<(m, n, b, k) -> (m, b, k)>, affine_map<(m, n, b, k) -> (b, k, n)>, affine_map<(m, n, b, k) -> (m, n)>]
    bounds [in, in] : tensor<3x60x3000xf32>, tensor<60x3000x2xf32> -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// Rows that the operand does not have are zeros, and its others have one exponent.
// CHECK-LABEL: func.func @short
// CHECK: repro.reduce max {{.*}} : tensor<3x96xf32> -> tensor<f32>
// CHECK: repro.contract {{.*}} bounds [zero, in] : tensor<{{.+}}xi8>, {{.*}} -> tensor<4x6xi32>
func.func @short(%x: tensor<3x96xf32>, %w: tensor<96x6xf32>) -> tensor<4x6xf32> {
  %y = repro.contract %x, %w domain <[4, 6, 96], reduce [2]>
    maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    bounds [zero, in] : tensor<3x96xf32>, tensor<96x6xf32> -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @stay
// CHECK-COUNT-3: repro.contract
// CHECK-NOT: repro.contract
func.func @stay(%x: tensor<4x63xf32>, %w: tensor<63x6xf32>, %d: tensor<4x64xf64>, %e: tensor<64x6xf64>)
    -> (tensor<4x6xf32>, tensor<4x6xf64>, tensor<4x6xi32>) {
  // Few points, f64, integers.
  %y = repro.contract %x, %w domain <[4, 6, 63], reduce [2]>
    maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    bounds [in, in] : tensor<4x63xf32>, tensor<63x6xf32> -> tensor<4x6xf32>
  %z = repro.contract %d, %e domain <[4, 6, 64], reduce [2]>
    maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    bounds [in, in] : tensor<4x64xf64>, tensor<64x6xf64> -> tensor<4x6xf64>
  %i = repro.convert %x : tensor<4x63xf32> to tensor<4x63xi32>
  %j = repro.convert %w : tensor<63x6xf32> to tensor<63x6xi32>
  %s = repro.contract %i, %j domain <[4, 6, 63], reduce [2]>
    maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    bounds [in, in] : tensor<4x63xi32>, tensor<63x6xi32> -> tensor<4x6xi32>
  return %y, %z, %s : tensor<4x6xf32>, tensor<4x6xf64>, tensor<4x6xi32>
}

// Rows of operands whose dimensions are in another order than the result's, as those of the heads of an attention.
// CHECK-LABEL: func.func @heads
// CHECK: repro.reduce max {{.*}} : tensor<2x5x3x64xf32> -> tensor<2x5x3xf32>
// CHECK: repro.reduce max {{.*}} : tensor<2x6x3x64xf32> -> tensor<2x6x3xf32>
// CHECK: %[[OF_Q:.+]] = repro.transpose %{{.+}} [0, 2, 1] : tensor<2x5x3xi32> to tensor<2x3x5xi32>
// CHECK: repro.broadcast %[[OF_Q]] dims [0, 1, 2] : tensor<2x3x5xi32> to tensor<2x3x5x6xi32>
// CHECK: %[[OF_K:.+]] = repro.transpose %{{.+}} [0, 2, 1] : tensor<2x6x3xi32> to tensor<2x3x6xi32>
// CHECK: repro.broadcast %[[OF_K]] dims [0, 1, 3] : tensor<2x3x6xi32> to tensor<2x3x5x6xi32>
func.func @heads(%q: tensor<2x5x3x64xf32>, %k: tensor<2x6x3x64xf32>) -> tensor<2x3x5x6xf32> {
  %y = repro.contract %q, %k domain <[2, 3, 5, 6, 64], reduce [4]>
    maps [affine_map<(b, h, t, s, d) -> (b, t, h, d)>, affine_map<(b, h, t, s, d) -> (b, s, h, d)>,
          affine_map<(b, h, t, s, d) -> (b, h, t, s)>]
    bounds [in, in] : tensor<2x5x3x64xf32>, tensor<2x6x3x64xf32> -> tensor<2x3x5x6xf32>
  return %y : tensor<2x3x5x6xf32>
}

// With fewer points all are sliced, but for those that sum nothing.
// CHECK-LABEL: func.func @outer
// CHECK-NOT: i8
// CHECK: return
// EACH-LABEL: func.func @outer
// EACH-NOT: i8
// EACH: repro.contract %{{.+}}, %{{.+}} domain <[4, 6], reduce []>
// EACH: %[[ONE:.+]] = repro.contract {{.*}} domain <[4, 6, 1, 3], reduce [2, 3]>
// EACH-SAME: : tensor<4x4x3xi8>, tensor<4x3x6xi8> -> tensor<4x6xi32>
func.func @outer(%x: tensor<4xf32>, %w: tensor<6xf32>, %a: tensor<4x3xf32>, %b: tensor<3x6xf32>)
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %y = repro.contract %x, %w domain <[4, 6], reduce []>
    maps [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>]
    bounds [in, in] : tensor<4xf32>, tensor<6xf32> -> tensor<4x6xf32>
  %z = repro.contract %a, %b domain <[4, 6, 3], reduce [2]>
    maps [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    bounds [in, in] : tensor<4x3xf32>, tensor<3x6xf32> -> tensor<4x6xf32>
  return %y, %z : tensor<4x6xf32>, tensor<4x6xf32>
}
