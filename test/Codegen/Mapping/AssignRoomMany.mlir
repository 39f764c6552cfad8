// RUN: sed 's/"size": \[4, 1\]/"size": [8, 1]/' %S/Inputs/four-cores.json > %t.json
// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(task-assign{machine=%t.json tile-memory=85}))' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(task-assign{machine=%t.json tile-memory=85 all}))' | FileCheck %s --check-prefix=ALL

// A core has room for 615 bytes of weights. Seven have 576, so 64 more find room in the last one
// alone. It takes four parts, unless weights must not be fetched.
// CHECK: repro.kernel "k0_add" {{.*}}task.cores = array<i32: 0, 1, 2, 3, 4, 5, 6>
// CHECK: repro.kernel "k1_mul" {{.*}}task.cores = array<i32: 3, 4, 5, 6, 7, 7, 7, 7>
// ALL: repro.kernel "k1_mul" {{.*}}task.cores = array<i32: 7, 7, 7, 7, 7, 7, 7, 7>
func.func @main(%x: tensor<7x144xf32>, %y: tensor<8x16xf32>, %w0: tensor<7x144xf32> {gensyn.role = "parameter"}, %w1: tensor<8x16xf32> {gensyn.role = "parameter"}) -> (tensor<7x144xf32>, tensor<8x16xf32>) {
  %t0 = repro.kernel "k0_add" (%a = %x : tensor<7x144xf32>, %b = %w0 : tensor<7x144xf32>) -> (tensor<7x144xf32>) attributes {task.parts = array<i64: 1, 144>} {
    %e = repro.add %a, %b : tensor<7x144xf32>
    repro.yield %e : tensor<7x144xf32>
  }
  %t1 = repro.kernel "k1_mul" (%a = %y : tensor<8x16xf32>, %b = %w1 : tensor<8x16xf32>) -> (tensor<8x16xf32>) attributes {task.parts = array<i64: 1, 16>} {
    %e = repro.mul %a, %b : tensor<8x16xf32>
    repro.yield %e : tensor<8x16xf32>
  }
  return %t0, %t1 : tensor<7x144xf32>, tensor<8x16xf32>
}
