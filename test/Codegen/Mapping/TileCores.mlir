// RUN: gensyn-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(task-tile{machine=gap9}))' | FileCheck %s

// A row of 80 KB is in the memory of the cluster, which is core 0, and not in that of the
// controller: of a kernel whose cores are given, only those count.
// CHECK-LABEL: func.func @cluster
// CHECK: task.tiles = array<i64: 1
func.func @cluster(%x: tensor<2x20000xf32>) -> tensor<2xf32> {
  %y = repro.kernel "k0_reduce" (%a = %x : tensor<2x20000xf32>) -> (tensor<2xf32>) attributes {task.cores = array<i32: 0>} {
    %m = repro.reduce sum %a domain <[2, 20000], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order sequential : tensor<2x20000xf32> -> tensor<2xf32>
    repro.yield %m : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

// -----

func.func @controller(%x: tensor<2x20000xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'k0_reduce': the smallest piece needs 80064 bytes in the memory of a core, which has 49152}}
  %y = repro.kernel "k0_reduce" (%a = %x : tensor<2x20000xf32>) -> (tensor<2xf32>) attributes {task.cores = array<i32: 1>} {
    %m = repro.reduce sum %a domain <[2, 20000], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order sequential : tensor<2x20000xf32> -> tensor<2xf32>
    repro.yield %m : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}
