// RUN: gensyn-opt %s --gensyn-emit-cpu-kernels=target=x86-64-v4 | FileCheck %s

// A convolution whose windows are read in place. At the first tap of a channel
// a micro-kernel fetches the next rows of weights and, for each of its vectors,
// what the next panel of columns reads at the last tap: the offset 66 behind it
// is that of two rows and two columns of the image.
// CHECK-LABEL: func.func private @conv_micro_6x4(
// CHECK: scf.if
// CHECK-COUNT-10: llvm.intr.prefetch
// CHECK-NOT: llvm.intr.prefetch
// The 32 panels of columns are in groups of four.
// CHECK-LABEL: func.func @conv(
// CHECK-SAME: gensyn.tiles = 8
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
