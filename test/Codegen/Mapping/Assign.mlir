// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(task-assign{machine=%S/Inputs/four-cores.json}))' | FileCheck %s

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
