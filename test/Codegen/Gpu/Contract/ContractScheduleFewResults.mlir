// RUN: gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 | FileCheck %s

// Few results are divided such that more of the 132 multiprocessors have a
// block: tiles of 16 x 32 for 64 threads, and sums of which a thread of the
// second launch has one, not four.

// CHECK: llvm.func @rows
// CHECK-SAME: gensyn.grid = array<i64: 128, 1, 1>
// CHECK-SAME: nvvm.reqntid = array<i32: 64, 1, 1>
// CHECK: llvm.func @weights_blocks
// CHECK-SAME: gensyn.grid = array<i64: 256, 1, 1>
// CHECK: llvm.func @weights_sum
// CHECK-SAME: gensyn.grid = array<i64: 64, 1, 1>
func.func @main(%a: tensor<32x1000xf32>, %b: tensor<1000x2048xf32>, %x: tensor<65536x64xf32>, %y: tensor<65536x64xf32>)
    -> (tensor<32x2048xf32>, tensor<64x64xf32>) {
  %0 = repro.kernel "rows" (%v = %a : tensor<32x1000xf32>, %w = %b : tensor<1000x2048xf32>) -> tensor<32x2048xf32> {
    %c = repro.contract %v, %w domain <[32, 2048, 1000], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<32x1000xf32>, tensor<1000x2048xf32> -> tensor<32x2048xf32>
    repro.yield %c : tensor<32x2048xf32>
  }
  %1 = repro.kernel "weights" (%v = %x : tensor<65536x64xf32>, %w = %y : tensor<65536x64xf32>) -> tensor<64x64xf32> {
    %c = repro.contract %v, %w domain <[64, 64, 65536], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order blocked<1024, sequential, sequential>
      : tensor<65536x64xf32>, tensor<65536x64xf32> -> tensor<64x64xf32>
    repro.yield %c : tensor<64x64xf32>
  }
  return %0, %1 : tensor<32x2048xf32>, tensor<64x64xf32>
}
