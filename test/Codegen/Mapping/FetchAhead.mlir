// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-schedule,task-plan{machine=spinnaker2-chip},task-prefetch{machine=spinnaker2-chip},task-place{machine=spinnaker2-chip},task-route{machine=spinnaker2-chip},task-fetch-ahead,task-reduce-waits)' | FileCheck %s

// The weights that a layer reads first are fetched for the next one when its computation has
// read them, after all else that the channel copies. What layers compute is not, also where
// the first one reads an input (buffer 0), and neither are the weights that it reads last
// (buffer 2): for them there is more time at the beginning.
// CHECK: task.segment [0, 1] counters 1 buffers [0, 1, 2] repetitions
// CHECK: task.core 4 {
// CHECK-NOT: from 1 at 0
// CHECK: task.fetch %{{.*}} from 2 at 0 {{.*}} of 1024 {channel = 1
// CHECK-NOT: from 1 at 0
// CHECK: %[[SUM:.*]] = task.compute @add_{{[^(]*}}(%{{.*}}, %[[W:.*]], %{{.*}})
// CHECK-NOT: ahead
// CHECK: task.compute @mul
// CHECK-NEXT: task.store
// CHECK-NEXT: task.fetch %[[W]] from 1 at 0 {{.*}} after %[[SUM]] ahead {channel = 1
// CHECK: task.core 5 {
// CHECK: task.segment [6]
// CHECK-NOT: ahead
func.func @main(%x0: tensor<8x64xf32>, %w0: tensor<8x64xf32>, %v0: tensor<8x64xf32>, %w1: tensor<8x64xf32>, %v1: tensor<8x64xf32>, %w2: tensor<8x64xf32>, %v2: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %t0 = repro.kernel "k0_add" (%a = %x0 : tensor<8x64xf32>, %b = %w0 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 0>} {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x1 = repro.kernel "k1_mul" (%a = %t0 : tensor<8x64xf32>, %b = %v0 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 0>} {
    %s = repro.mul %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %t1 = repro.kernel "k2_add" (%a = %x1 : tensor<8x64xf32>, %b = %w1 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 1>} {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x2 = repro.kernel "k3_mul" (%a = %t1 : tensor<8x64xf32>, %b = %v1 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 1>} {
    %s = repro.mul %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %t2 = repro.kernel "k4_add" (%a = %x2 : tensor<8x64xf32>, %b = %w2 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 2>} {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x3 = repro.kernel "k5_mul" (%a = %t2 : tensor<8x64xf32>, %b = %v2 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.parts = array<i64: 4, 64>, task.cores = array<i32: 4, 5>, task.repetition = array<i32: 0, 2>} {
    %s = repro.mul %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %y = repro.kernel "k6_neg" (%a = %x3 : tensor<8x64xf32>) -> (tensor<8x64xf32>) attributes {task.cores = array<i32: 6>} {
    %s = repro.neg %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  return %y : tensor<8x64xf32>
}
