// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-schedule)' | FileCheck %s
// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-schedule,task-plan{machine=spinnaker2-chip},task-prefetch,task-place{machine=spinnaker2-chip},task-route{machine=spinnaker2-chip},task-reduce-waits)' -o /dev/null

// One segment for the three layers, and one for what follows. The first layer reads %x0,
// the others write over what they read: a layer's result lies where its sum does, and where
// the layer before has left it.
// CHECK: task.segment [0, 1] counters 1 buffers [0, 1] repetitions [#task.repetition<[2, 3] with [5, 2]>, #task.repetition<[4, 5] with [5, 3]>] {
// CHECK: task.fetch {{.*}} from 0 at 0
// CHECK: task.fetch {{.*}} from 1 at 0
// CHECK: task.fetch {{.*}} from 5 at 0 {{.*}}awaits = array<i32: 0, 2>
// CHECK: task.segment [6] counters 0 {
func.func @main(%x0: tensor<8x64xf32>, %w0: tensor<8x64xf32>, %w1: tensor<8x64xf32>, %w2: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %t0 = repro.kernel "k0_add" (%a = %x0 : tensor<8x64xf32>, %b = %w0 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 0>} {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x1 = repro.kernel "k1_exp" (%a = %t0 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 0>} {
    %s = repro.exp %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %t1 = repro.kernel "k2_add" (%a = %x1 : tensor<8x64xf32>, %b = %w1 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 1>} {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x2 = repro.kernel "k3_exp" (%a = %t1 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 1>} {
    %s = repro.exp %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %t2 = repro.kernel "k4_add" (%a = %x2 : tensor<8x64xf32>, %b = %w2 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 2>} {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x3 = repro.kernel "k5_exp" (%a = %t2 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 2>} {
    %s = repro.exp %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %y = repro.kernel "k6_neg" (%a = %x3 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.cores = array<i32: 6>} {
    %s = repro.neg %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  return %y : tensor<8x64xf32>
}
