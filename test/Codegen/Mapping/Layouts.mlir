// RUN: gensyn-opt %s --pass-pipeline='builtin.module(task-place{machine=spinnaker2-board})' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(task-place{machine=spinnaker2-chip})' | FileCheck %s --check-prefix=CHIP

// Cores 10 and 20 are on the first chip, 200 on the second, 400 on the third. Each computes
// 8 columns of the first product: the weight's halves of 64 rows of 128 bytes lie where
// they are read, and the operand that all of them read is interleaved. The second product
// has its two blocks of rows on the third chip and the first.
// CHECK: module attributes {{.*}}task.layouts = [unit, #task.layout<[128, 32, 1] to [0, 0, 1, 2]>, #task.layout<[4096, 2048, 1] to [2, 0]>, unit, unit]
// CHIP-NOT: task.layouts
func.func @main(%x: tensor<4x64xf32>, %w: tensor<64x32xf32>, %v: tensor<32x32xf32>) -> tensor<32x4xf32> {
  %y = repro.kernel "k0_contract" (%a = %x : tensor<4x64xf32>, %b = %w : tensor<64x32xf32>) -> (tensor<4x32xf32>) attributes {task.parts = array<i64: 4, 8>, task.cores = array<i32: 10, 20, 200, 400>} {
    %c = repro.contract %a, %b domain <[4, 32, 64], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<4x64xf32>, tensor<64x32xf32> -> tensor<4x32xf32>
    repro.yield %c : tensor<4x32xf32>
  }
  %z = repro.kernel "k1_contract" (%a = %v : tensor<32x32xf32>, %b = %y : tensor<4x32xf32>) -> (tensor<32x4xf32>) attributes {task.parts = array<i64: 16, 4>, task.cores = array<i32: 400, 10>} {
    %c = repro.contract %a, %b domain <[32, 4, 32], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<32x32xf32>, tensor<4x32xf32> -> tensor<32x4xf32>
    repro.yield %c : tensor<32x4xf32>
  }
  return %z : tensor<32x4xf32>
}
