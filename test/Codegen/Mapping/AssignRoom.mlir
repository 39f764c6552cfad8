// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(task-assign{machine=%S/Inputs/four-cores.json tile-memory=85}))' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(task-assign{machine=%S/Inputs/four-cores.json tile-memory=80}))' | FileCheck %s --check-prefix=MORE

// A core has room for 615 bytes of weights. Two have 512, so the others get two parts of 256
// each; the last kernel finds no room for two of its parts anywhere.
// CHECK: repro.kernel "k0_add" {{.*}}task.cores = array<i32: 0, 1>
// CHECK: repro.kernel "k1_mul" {{.*}}task.cores = array<i32: 2, 2, 3, 3>
// CHECK: repro.kernel "k2_mul" {{.*}}task.cores = array<i32: 0, 1, 2, 3>

// With room for 820 each has one.
// MORE: repro.kernel "k0_add" {{.*}}task.cores = array<i32: 0, 1>
// MORE: repro.kernel "k1_mul" {{.*}}task.cores = array<i32: 0, 1, 2, 3>
func.func @main(%x: tensor<2x128xf32>, %y: tensor<4x64xf32>, %w0: tensor<2x128xf32> {gensyn.role = "parameter"}, %w1: tensor<4x64xf32> {gensyn.role = "parameter"}, %w2: tensor<4x64xf32> {gensyn.role = "parameter"}) -> (tensor<2x128xf32>, tensor<4x64xf32>) {
  %t0 = repro.kernel "k0_add" (%a = %x : tensor<2x128xf32>, %b = %w0 : tensor<2x128xf32>) -> (tensor<2x128xf32>) attributes {task.parts = array<i64: 1, 128>} {
    %e = repro.add %a, %b : tensor<2x128xf32>
    repro.yield %e : tensor<2x128xf32>
  }
  %t1 = repro.kernel "k1_mul" (%a = %y : tensor<4x64xf32>, %b = %w1 : tensor<4x64xf32>) -> (tensor<4x64xf32>) attributes {task.parts = array<i64: 1, 64>} {
    %e = repro.mul %a, %b : tensor<4x64xf32>
    repro.yield %e : tensor<4x64xf32>
  }
  %t2 = repro.kernel "k2_mul" (%a = %t1 : tensor<4x64xf32>, %b = %w2 : tensor<4x64xf32>) -> (tensor<4x64xf32>) attributes {task.parts = array<i64: 1, 64>} {
    %e = repro.mul %a, %b : tensor<4x64xf32>
    repro.yield %e : tensor<4x64xf32>
  }
  return %t0, %t2 : tensor<2x128xf32>, tensor<4x64xf32>
}
