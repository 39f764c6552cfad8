// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-schedule)' | FileCheck %s

// The old rows of a concatenation do not wait for the new one, nor are any of its bytes
// fetched for them, also where it is reshaped.
// CHECK: task.segment [0, 1, 2] counters 2 {
// CHECK: task.core 0 {
// CHECK: task.store {{.*}} to [[NEW:[0-9]+]] at 0 {{.*}}launch = 0 : i32, signals = array<i32: 0>
// CHECK: task.core 1 {
// CHECK-NOT: awaits
// CHECK-NOT: from [[NEW]]
// CHECK: task.store {{.*}}launch = 1 : i32
// CHECK: task.core 2 {
// CHECK: task.fetch {{.*}} from [[NEW]] at 0 rows [] by [] of 32 {awaits = array<i32: 0, 1>, launch = 1 : i32}

// Later launches take the end of a launch for the end of all that it awaits. No tile reads
// what launch 1 computes, so the last task waits for it.
// CHECK: task.core 3 {
// CHECK: task.fetch {{.*}} from 0 at 0 {{.*}}{launch = 2 : i32}
// CHECK: task.compute {{.*}}{launch = 2 : i32}
// CHECK: task.store {{.*}}{awaits = array<i32: 1, 2>, launch = 2 : i32}
func.func @main(%x: tensor<3x8xf32>, %v: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<3x8xf32>) {
  %new = repro.kernel "k0_exp" (%a = %v : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.parts = array<i64: 8>, task.tiles = array<i64: 8>, task.cores = array<i32: 0>, task.in_place = array<i1: false, false>} {
    %e = repro.exp %a : tensor<8xf32>
    repro.yield %e : tensor<8xf32>
  }
  %all = repro.kernel "k1_concat" (%a = %x : tensor<3x8xf32>, %b = %new : tensor<8xf32>) -> (tensor<4x8xf32>) attributes {task.parts = array<i64: 2, 8>, task.tiles = array<i64: 1, 8>, task.cores = array<i32: 1, 2>, task.in_place = array<i1: false, false, false>} {
    %r = repro.reshape %b : tensor<8xf32> to tensor<1x8xf32>
    %c = repro.concat %a, %r dim 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
    repro.yield %c : tensor<4x8xf32>
  }
  %neg = repro.kernel "k2_neg" (%a = %x : tensor<3x8xf32>, %b = %all : tensor<4x8xf32>) -> (tensor<3x8xf32>) attributes {task.parts = array<i64: 3, 8>, task.tiles = array<i64: 3, 8>, task.cores = array<i32: 3>, task.in_place = array<i1: false, false, false>} {
    %s = repro.slice %b start [0, 0] limit [0, 8] stride [1, 1] : tensor<4x8xf32> to tensor<0x8xf32>
    %c = repro.concat %a, %s dim 0 : (tensor<3x8xf32>, tensor<0x8xf32>) -> tensor<3x8xf32>
    %n = repro.neg %c : tensor<3x8xf32>
    repro.yield %n : tensor<3x8xf32>
  }
  return %all, %neg : tensor<4x8xf32>, tensor<3x8xf32>
}
