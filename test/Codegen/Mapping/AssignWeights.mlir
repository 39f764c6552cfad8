// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(task-assign{machine=%S/Inputs/four-cores.json tile-memory=50}))' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(task-assign{machine=%S/Inputs/four-cores.json}))' | FileCheck %s --check-prefix=TIME

// Where weights stay in cores, kernels that read some get cores that keep the least of them in
// all repetitions: k2 those that have more to do, k4 and k5 those that do not keep what both of
// k3 do. Then all keep as much, so k6 gets those that have less to do, as others do.
// CHECK: repro.kernel "k0_exp" {{.*}}task.cores = array<i32: 0, 1>
// CHECK: repro.kernel "k1_add" {{.*}}task.cores = array<i32: 2, 3>
// CHECK: repro.kernel "k2_mul" {{.*}}task.cores = array<i32: 0, 1>
// CHECK: repro.kernel "k3_add" {{.*}}task.cores = array<i32: 0, 1>
// CHECK: repro.kernel "k3_add_0" {{.*}}task.cores = array<i32: 0, 1>
// CHECK: repro.kernel "k4_mul" {{.*}}task.cores = array<i32: 2, 3>
// CHECK: repro.kernel "k5_mul" {{.*}}task.cores = array<i32: 2, 3>
// CHECK: repro.kernel "k6_mul" {{.*}}task.cores = array<i32: 2, 3>
// CHECK: repro.kernel "k7_neg" {{.*}}task.cores = array<i32: 2, 3>
// TIME: repro.kernel "k0_exp" {{.*}}task.cores = array<i32: 0, 1>
// TIME: repro.kernel "k1_add" {{.*}}task.cores = array<i32: 2, 3>
// TIME: repro.kernel "k2_mul" {{.*}}task.cores = array<i32: 2, 3>
func.func @main(%x: tensor<96x64xf32>, %y: tensor<2x64xf32>, %w0: tensor<2x64xf32> {gensyn.role = "parameter"}, %w1: tensor<2x64xf32> {gensyn.role = "parameter"}, %w2: tensor<2x64xf32> {gensyn.role = "parameter"}, %w3: tensor<2x64xf32> {gensyn.role = "parameter"}, %w4: tensor<2x64xf32> {gensyn.role = "parameter"}, %w5: tensor<2x64xf32> {gensyn.role = "parameter"}, %w6: tensor<2x64xf32> {gensyn.role = "parameter"}) -> (tensor<96x64xf32>, tensor<2x64xf32>) {
  %t0 = repro.kernel "k0_exp" (%a = %x : tensor<96x64xf32>) -> (tensor<96x64xf32>) attributes {task.parts = array<i64: 48, 64>} {
    %e = repro.exp %a : tensor<96x64xf32>
    repro.yield %e : tensor<96x64xf32>
  }
  %t1 = repro.kernel "k1_add" (%a = %y : tensor<2x64xf32>, %b = %w0 : tensor<2x64xf32>) -> (tensor<2x64xf32>) attributes {task.parts = array<i64: 1, 64>} {
    %e = repro.add %a, %b : tensor<2x64xf32>
    repro.yield %e : tensor<2x64xf32>
  }
  %t2 = repro.kernel "k2_mul" (%a = %t1 : tensor<2x64xf32>, %b = %w1 : tensor<2x64xf32>) -> (tensor<2x64xf32>) attributes {task.parts = array<i64: 1, 64>} {
    %e = repro.mul %a, %b : tensor<2x64xf32>
    repro.yield %e : tensor<2x64xf32>
  }
  %t3 = repro.kernel "k3_add" (%a = %t2 : tensor<2x64xf32>, %b = %w2 : tensor<2x64xf32>) -> (tensor<2x64xf32>) attributes {task.parts = array<i64: 1, 64>, task.repetition = array<i32: 0, 0>} {
    %e = repro.add %a, %b : tensor<2x64xf32>
    repro.yield %e : tensor<2x64xf32>
  }
  %t4 = repro.kernel "k3_add_0" (%a = %t3 : tensor<2x64xf32>, %b = %w3 : tensor<2x64xf32>) -> (tensor<2x64xf32>) attributes {task.parts = array<i64: 1, 64>, task.repetition = array<i32: 0, 1>} {
    %e = repro.add %a, %b : tensor<2x64xf32>
    repro.yield %e : tensor<2x64xf32>
  }
  %t5 = repro.kernel "k4_mul" (%a = %t4 : tensor<2x64xf32>, %b = %w4 : tensor<2x64xf32>) -> (tensor<2x64xf32>) attributes {task.parts = array<i64: 1, 64>} {
    %e = repro.mul %a, %b : tensor<2x64xf32>
    repro.yield %e : tensor<2x64xf32>
  }
  %t6 = repro.kernel "k5_mul" (%a = %t5 : tensor<2x64xf32>, %b = %w5 : tensor<2x64xf32>) -> (tensor<2x64xf32>) attributes {task.parts = array<i64: 1, 64>} {
    %e = repro.mul %a, %b : tensor<2x64xf32>
    repro.yield %e : tensor<2x64xf32>
  }
  %t7 = repro.kernel "k6_mul" (%a = %t6 : tensor<2x64xf32>, %b = %w6 : tensor<2x64xf32>) -> (tensor<2x64xf32>) attributes {task.parts = array<i64: 1, 64>} {
    %e = repro.mul %a, %b : tensor<2x64xf32>
    repro.yield %e : tensor<2x64xf32>
  }
  %t8 = repro.kernel "k7_neg" (%a = %t7 : tensor<2x64xf32>) -> (tensor<2x64xf32>) attributes {task.parts = array<i64: 1, 64>} {
    %e = repro.neg %a : tensor<2x64xf32>
    repro.yield %e : tensor<2x64xf32>
  }
  return %t0, %t8 : tensor<96x64xf32>, tensor<2x64xf32>
}
