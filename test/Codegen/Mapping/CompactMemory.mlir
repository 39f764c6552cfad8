// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-schedule,task-plan{machine=%S/Inputs/four-cores.json},task-prefetch,task-place{machine=%S/Inputs/four-cores.json},task-route{machine=%S/Inputs/four-cores.json},task-compact{machine=%S/Inputs/four-cores.json})' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(task-schedule,task-plan{machine=%S/Inputs/four-cores.json},task-prefetch,task-place{machine=%S/Inputs/four-cores.json},task-route{machine=%S/Inputs/four-cores.json},task-compact{machine=%S/Inputs/four-cores.json most=8})' | FileCheck %s --check-prefix=LARGE

// Eight tiles, whose operands and results of 256 bytes fill the memory of 4 KiB. A result
// has left the core before the next one but one is computed, so two places are enough, and
// a computation waits for the store that had its place.
// LARGE: task.buffer 256 at 3840
// CHECK-NOT: task.buffer 256 at {{(2[1-9]|3[0-9])[0-9][0-9]}}
// CHECK: %[[S0:.*]] = task.store
// CHECK: task.compute {{.*}} after {{.*}}%[[S0]]
func.func @main(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %y = repro.kernel "k0_exp" (%a = %x : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.cores = array<i32: 0>, task.parts = array<i64: 8, 64>, task.tiles = array<i64: 1, 64>} {
    %e = repro.exp %a : tensor<8x64xf32>
    repro.yield %e : tensor<8x64xf32>
  }
  return %y : tensor<8x64xf32>
}
