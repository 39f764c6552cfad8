// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-schedule,task-keep-weights{machine=spinnaker2-chip tile-memory=50},task-multicast{machine=spinnaker2-chip},task-plan{machine=spinnaker2-chip},task-prefetch{machine=spinnaker2-chip},task-place{machine=spinnaker2-chip},task-route{machine=spinnaker2-chip},task-compact{machine=spinnaker2-chip},task-reduce-waits)' | FileCheck %s

// Scales of 4 bytes, one of each repetition: they take 8 bytes each, not 64, and what lies
// behind the last one is aligned again.
// CHECK: task.core 4 {
// CHECK-DAG: task.resident from 1 at 0 rows [] by [] of 512 to 0 step 512 {launch = 0 : i32, path = array<i32
// CHECK-DAG: task.resident from 2 at 0 rows [] by [] of 4 to 1536 step 8 {launch = 0 : i32, path = array<i32
// CHECK: task.buffer 512 at 1600
func.func @main(%x0: tensor<2x128xf32>, %w0: tensor<2x128xf32> {gensyn.role = "parameter"}, %s0: tensor<2xf32> {gensyn.role = "parameter"}, %w1: tensor<2x128xf32> {gensyn.role = "parameter"}, %s1: tensor<2xf32> {gensyn.role = "parameter"}, %w2: tensor<2x128xf32> {gensyn.role = "parameter"}, %s2: tensor<2xf32> {gensyn.role = "parameter"}) -> tensor<2x128xf32> {
  %x1 = repro.kernel "k0_mul" (%a = %x0 : tensor<2x128xf32>, %b = %w0 : tensor<2x128xf32>, %c = %s0 : tensor<2xf32>) -> (tensor<2x128xf32>) attributes {task.parts = array<i64: 1, 128>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 0>} {
    %d = repro.broadcast %c dims [0] : tensor<2xf32> to tensor<2x128xf32>
    %p = repro.mul %a, %b : tensor<2x128xf32>
    %s = repro.mul %p, %d : tensor<2x128xf32>
    repro.yield %s : tensor<2x128xf32>
  }
  %x2 = repro.kernel "k1_mul" (%a = %x1 : tensor<2x128xf32>, %b = %w1 : tensor<2x128xf32>, %c = %s1 : tensor<2xf32>) -> (tensor<2x128xf32>) attributes {task.parts = array<i64: 1, 128>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 1>} {
    %d = repro.broadcast %c dims [0] : tensor<2xf32> to tensor<2x128xf32>
    %p = repro.mul %a, %b : tensor<2x128xf32>
    %s = repro.mul %p, %d : tensor<2x128xf32>
    repro.yield %s : tensor<2x128xf32>
  }
  %x3 = repro.kernel "k2_mul" (%a = %x2 : tensor<2x128xf32>, %b = %w2 : tensor<2x128xf32>, %c = %s2 : tensor<2xf32>) -> (tensor<2x128xf32>) attributes {task.parts = array<i64: 1, 128>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 2>} {
    %d = repro.broadcast %c dims [0] : tensor<2xf32> to tensor<2x128xf32>
    %p = repro.mul %a, %b : tensor<2x128xf32>
    %s = repro.mul %p, %d : tensor<2x128xf32>
    repro.yield %s : tensor<2x128xf32>
  }
  return %x3 : tensor<2x128xf32>
}
