// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-schedule,task-plan{machine=%S/Inputs/four-cores.json},task-place{machine=%S/Inputs/four-cores.json},task-route{machine=%S/Inputs/four-cores.json})' | FileCheck %s

// Parts of a scatter along the indices that are data: each drops the updates of the others,
// and faults at those outside of the whole alone.
// CHECK: task.core 1 {
// CHECK: task.core 2 {
// CHECK: repro.scatter add {{.*}} bounds fault within [0, 20, 0, 8] : tensor<11x8xf32>, tensor<7x8xf32>, tensor<7xi32>
// CHECK: repro.scatter add {{.*}} bounds fault within [-11, 9, 0, 8] : tensor<9x8xf32>, tensor<7x8xf32>, tensor<7xi32>
func.func @main(%t: tensor<20x8xf32> {gensyn.input = dense<1.0> : tensor<20x8xf32>}, %u: tensor<7x8xf32> {gensyn.input = dense<0.5> : tensor<7x8xf32>},
                %i: tensor<7xi32> {gensyn.input = dense<[10, 11, 3, 19, 20, 11, 0]> : tensor<7xi32>}) -> tensor<20x8xf32> {
  %y = repro.kernel "k0_scatter" (%a = %t : tensor<20x8xf32>, %b = %u : tensor<7x8xf32>, %c = %i : tensor<7xi32>) -> (tensor<20x8xf32>)
      attributes {task.parts = array<i64: 11, 8>, task.tiles = array<i64: 11, 8>, task.cores = array<i32: 1, 2>, task.in_place = array<i1: false, false, false, false>} {
    %s = repro.scatter add %a, %b[%c] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<20x8xf32>, tensor<7x8xf32>, tensor<7xi32>
    repro.yield %s : tensor<20x8xf32>
  }
  return %y : tensor<20x8xf32>
}
