// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-schedule)' | FileCheck %s

// An operand in place is accessed as a whole, so all computations wait for it, also that of
// the old rows, which reads none of its bytes.
// CHECK: task.core 1 {
// CHECK: task.compute {{.*}}awaits = array<i32: 0, 1>, {{.*}}launch = 1
// CHECK: task.core 2 {
// CHECK: task.compute {{.*}}awaits = array<i32: 0, 1>, {{.*}}launch = 1
func.func @main(%x: tensor<3x8xf32>, %v: tensor<8xf32>) -> tensor<4x8xf32> {
  %new = repro.kernel "k0_exp" (%a = %v : tensor<8xf32>) -> (tensor<8xf32>) attributes {task.parts = array<i64: 8>, task.tiles = array<i64: 8>, task.cores = array<i32: 0>, task.in_place = array<i1: false, false>} {
    %e = repro.exp %a : tensor<8xf32>
    repro.yield %e : tensor<8xf32>
  }
  %all = repro.kernel "k1_concat" (%a = %x : tensor<3x8xf32>, %b = %new : tensor<8xf32>) -> (tensor<4x8xf32>) attributes {task.parts = array<i64: 2, 8>, task.tiles = array<i64: 2, 8>, task.cores = array<i32: 1, 2>, task.in_place = array<i1: false, true, false>} {
    %r = repro.reshape %b : tensor<8xf32> to tensor<1x8xf32>
    %c = repro.concat %a, %r dim 0 : (tensor<3x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
    repro.yield %c : tensor<4x8xf32>
  }
  return %all : tensor<4x8xf32>
}
