// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(task-split{machine=xr-soc},task-tile{machine=xr-soc},task-assign{machine=xr-soc}))' | FileCheck %s
// RUN: gensyn-opt %s --check-bits=all --gensyn-machine-pipeline=machine=xr-soc | FileCheck %s --check-prefix=TASKS

// The DSP computes several times as fast as the processor, and has more of the parts.
// CHECK: repro.kernel "k0_contract"
// CHECK-SAME: task.cores = array<i32: 1, 1, 1, {{[1, ]*}}2, 2>
// CHECK-SAME: task.kinds = array<i32: 1, {{[3-9]}}, 2, 2>
// The processor starts sooner.
// CHECK: repro.kernel "k1_neg"
// CHECK-SAME: task.cores = array<i32: 2>
// CHECK-SAME: task.kinds = array<i32: 2, 1>

// The weights stay with a core from part to part.
// TASKS: task.core 1
// TASKS: task.fetch [[W:%.+]] from 1 at 0
// TASKS: task.compute @contract{{[a-z0-9_]*}}({{%[0-9]+}}, [[W]],
// TASKS: task.compute @contract{{[a-z0-9_]*}}({{%[0-9]+}}, [[W]],
// TASKS: task.core 2
// TASKS: task.fetch [[W:%.+]] from 1 at 0
// TASKS: task.compute @contract{{[a-z0-9_]*}}({{%[0-9]+}}, [[W]],
// TASKS: task.compute @contract{{[a-z0-9_]*}}({{%[0-9]+}}, [[W]],
func.func @main(%x: tensor<512x64xf32>, %w: tensor<64x64xf32>, %u: tensor<4xf32>) -> (tensor<512x64xf32>, tensor<4xf32>) {
  %y = repro.kernel "k0_contract" (%a = %x : tensor<512x64xf32>, %b = %w : tensor<64x64xf32>) -> (tensor<512x64xf32>) {
    %c = repro.contract %a, %b domain <[512, 64, 64], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<512x64xf32>, tensor<64x64xf32> -> tensor<512x64xf32>
    repro.yield %c : tensor<512x64xf32>
  }
  %z = repro.kernel "k1_neg" (%a = %u : tensor<4xf32>) -> (tensor<4xf32>) {
    %e = repro.neg %a : tensor<4xf32>
    repro.yield %e : tensor<4xf32>
  }
  return %y, %z : tensor<512x64xf32>, tensor<4xf32>
}
