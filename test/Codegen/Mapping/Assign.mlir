// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(task-assign{machine=%S/Inputs/four-cores.json}))' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(task-assign{machine=spinnaker2-board}))' | FileCheck %s --check-prefix=BOARD

// The second kernel gets the cores that the first one left alone.
// CHECK: repro.kernel "k0_exp" {{.*}}task.cores = array<i32: 0, 1>
// CHECK: repro.kernel "k1_neg" {{.*}}task.cores = array<i32: 2, 3>
func.func @main(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %y = repro.kernel "k0_exp" (%a = %x : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>} {
    %e = repro.exp %a : tensor<8x64xf32>
    repro.yield %e : tensor<8x64xf32>
  }
  %z = repro.kernel "k1_neg" (%a = %x : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>} {
    %e = repro.neg %a : tensor<8x64xf32>
    repro.yield %e : tensor<8x64xf32>
  }
  return %y, %z : tensor<8x64xf32>, tensor<8x64xf32>
}

// Kernels that share the machine have cores of their own, also where the first of them
// has less to do than what was before.
// CHECK-LABEL: func.func @shared
// CHECK: repro.kernel "k0_exp" {{.*}}task.cores = array<i32: 0, 1, 2>
// CHECK: repro.kernel "k1_neg" {{.*}}task.cores = array<i32: 0, 3>
// CHECK: repro.kernel "k2_neg" {{.*}}task.cores = array<i32: 1, 2>
func.func @shared(%x: tensor<96x64xf32>, %v: tensor<2x4xf32>) -> (tensor<96x64xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %y = repro.kernel "k0_exp" (%a = %x : tensor<96x64xf32>) -> (tensor<96x64xf32>) attributes {task.parts = array<i64: 32, 64>} {
    %e = repro.exp %a : tensor<96x64xf32>
    repro.yield %e : tensor<96x64xf32>
  }
  %z = repro.kernel "k1_neg" (%a = %v : tensor<2x4xf32>) -> (tensor<2x4xf32>) attributes {task.parts = array<i64: 1, 4>, task.share = 2 : i64} {
    %e = repro.neg %a : tensor<2x4xf32>
    repro.yield %e : tensor<2x4xf32>
  }
  %w = repro.kernel "k2_neg" (%a = %v : tensor<2x4xf32>) -> (tensor<2x4xf32>) attributes {task.parts = array<i64: 1, 4>, task.share = 2 : i64} {
    %e = repro.neg %a : tensor<2x4xf32>
    repro.yield %e : tensor<2x4xf32>
  }
  return %y, %z, %w : tensor<96x64xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}

// Parts 0 and 2 have the first half of the columns, which is more than the rows: cores that
// read the same of it follow each other over the chips.
// BOARD-LABEL: func.func @columns
// BOARD: repro.kernel "k0_contract" {{.*}}task.cores = array<i32: 2, 306, 154, 458>
func.func @columns(%x: tensor<2x64xf32>, %w: tensor<64x8xf32>) -> tensor<2x8xf32> {
  %z = repro.kernel "k0_contract" (%a = %x : tensor<2x64xf32>, %b = %w : tensor<64x8xf32>) -> (tensor<2x8xf32>) attributes {task.parts = array<i64: 1, 4>} {
    %c = repro.contract %a, %b domain <[2, 8, 64], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<2x64xf32>, tensor<64x8xf32> -> tensor<2x8xf32>
    repro.yield %c : tensor<2x8xf32>
  }
  return %z : tensor<2x8xf32>
}
