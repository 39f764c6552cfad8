// RUN: gensyn-opt %s --gensyn-emit-cpu-kernels=target=x86-64-v4 --split-input-file | FileCheck %s

// A convolution whose windows are read in place. A micro-kernel fetches its
// results before the products. At the first tap of a channel it fetches the
// next rows of weights and, for each of its vectors, what the next panel of
// columns reads at the last tap: the offset 66 behind it is that of two rows
// and two columns of the image. Each of the 32 panels of columns is a tile: the
// weights stay in the cache.
// CHECK-LABEL: func.func private @conv_micro_6x4(
// CHECK: scf.if
// CHECK-COUNT-24: llvm.intr.prefetch{{.*}}rw = 1
// CHECK: scf.for
// CHECK: scf.if
// CHECK-COUNT-10: llvm.intr.prefetch{{.*}}rw = 0
// CHECK-NOT: llvm.intr.prefetch
// CHECK-LABEL: func.func @conv(
// CHECK-SAME: gensyn.tiles = 32
// CHECK: arith.constant 66 : i64
func.func @main(%a: tensor<2x8x32x32xf32>, %b: tensor<12x8x3x3xf32>) -> tensor<2x12x32x32xf32> {
  %y = repro.kernel "conv" (%x = %a : tensor<2x8x32x32xf32>, %w = %b : tensor<12x8x3x3xf32>) -> (tensor<2x12x32x32xf32>) {
    %c = repro.contract %w, %x domain <[2, 12, 32, 32, 8, 3, 3], reduce [4, 5, 6]>
      maps [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>,
            affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5 - 1, d3 + d6 - 1)>,
            affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]
      bounds [in, zero] order sequential : tensor<12x8x3x3xf32>, tensor<2x8x32x32xf32> -> tensor<2x12x32x32xf32>
    repro.yield %c : tensor<2x12x32x32xf32>
  }
  return %y : tensor<2x12x32x32xf32>
}

// -----

// Windows of stride 2 are copied. During the products of a panel a part of the
// next one is fetched by each panel of rows: of every channel three rows, for
// four vectors of 16 columns, which are two lines of the image each.

// CHECK-LABEL: func.func private @strided_fetch_columns(
// CHECK-COUNT-24: llvm.intr.prefetch
// CHECK-NOT: llvm.intr.prefetch
// CHECK-LABEL: func.func private @strided_micro_6x4(
// CHECK-LABEL: func.func @strided(
// CHECK: call @strided_fetch_columns
// CHECK: call @strided_micro_6x4
func.func @main(%a: tensor<1x8x32x32xf32>, %b: tensor<36x8x3x3xf32>) -> tensor<1x36x16x16xf32> {
  %y = repro.kernel "strided" (%x = %a : tensor<1x8x32x32xf32>, %w = %b : tensor<36x8x3x3xf32>) -> (tensor<1x36x16x16xf32>) {
    %c = repro.contract %w, %x domain <[1, 36, 16, 16, 8, 3, 3], reduce [4, 5, 6]>
      maps [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>,
            affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5 - 1, d3 * 2 + d6 - 1)>,
            affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]
      bounds [in, zero] order sequential : tensor<36x8x3x3xf32>, tensor<1x8x32x32xf32> -> tensor<1x36x16x16xf32>
    repro.yield %c : tensor<1x36x16x16xf32>
  }
  return %y : tensor<1x36x16x16xf32>
}
