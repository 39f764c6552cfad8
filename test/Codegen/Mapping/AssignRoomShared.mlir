// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(task-assign{machine=%S/Inputs/four-cores.json tile-memory=85}))' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(task-assign{machine=%S/Inputs/four-cores.json tile-memory=80}))' | FileCheck %s --check-prefix=MORE

// A core has room for 615 bytes of weights. Two have 512. Of two kernels that run at the same
// time, the second shares the cores of the first, since the others have no room for 256 more.
// CHECK: repro.kernel "k0_add" {{.*}}task.cores = array<i32: 0, 1>
// CHECK: repro.kernel "k1_mul" {{.*}}task.cores = array<i32: 2, 3>
// CHECK: repro.kernel "k2_mul" {{.*}}task.cores = array<i32: 2, 3>

// With room for 820 it has its own.
// MORE: repro.kernel "k0_add" {{.*}}task.cores = array<i32: 0, 1>
// MORE: repro.kernel "k1_mul" {{.*}}task.cores = array<i32: 2, 3>
// MORE: repro.kernel "k2_mul" {{.*}}task.cores = array<i32: 0, 1>
func.func @main(%x: tensor<2x128xf32>, %y: tensor<2x64xf32>, %w0: tensor<2x128xf32> {gensyn.role = "parameter"}, %w1: tensor<2x64xf32> {gensyn.role = "parameter"}, %w2: tensor<2x64xf32> {gensyn.role = "parameter"}) -> (tensor<2x128xf32>, tensor<2x64xf32>, tensor<2x64xf32>) {
  %t0 = repro.kernel "k0_add" (%a = %x : tensor<2x128xf32>, %b = %w0 : tensor<2x128xf32>) -> (tensor<2x128xf32>) attributes {task.parts = array<i64: 1, 128>} {
    %e = repro.add %a, %b : tensor<2x128xf32>
    repro.yield %e : tensor<2x128xf32>
  }
  %t1 = repro.kernel "k1_mul" (%a = %y : tensor<2x64xf32>, %b = %w1 : tensor<2x64xf32>) -> (tensor<2x64xf32>) attributes {task.parts = array<i64: 1, 64>, task.share = 2} {
    %e = repro.mul %a, %b : tensor<2x64xf32>
    repro.yield %e : tensor<2x64xf32>
  }
  %t2 = repro.kernel "k2_mul" (%a = %y : tensor<2x64xf32>, %b = %w2 : tensor<2x64xf32>) -> (tensor<2x64xf32>) attributes {task.parts = array<i64: 1, 64>, task.share = 2} {
    %e = repro.mul %a, %b : tensor<2x64xf32>
    repro.yield %e : tensor<2x64xf32>
  }
  return %t0, %t1, %t2 : tensor<2x128xf32>, tensor<2x64xf32>, tensor<2x64xf32>
}
