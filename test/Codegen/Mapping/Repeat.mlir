// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-repeat,func.func(task-assign{machine=spinnaker2-chip}))' | FileCheck %s
// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-repeat{least=58})' | FileCheck %s --check-prefix=FEW

// Three equal layers, which save four of seven tiles, and one more kernel. Repetitions have
// the cores of the first, and the kernel after them those that it would have alone.
// CHECK: "k0_add" {{.*}}{task.cores = array<i32: [[FIRST:[0-9]+]]>, task.repetition = array<i32: 0, 0>}
// CHECK: "k1_exp" {{.*}}{task.cores = array<i32: [[SECOND:[0-9]+]]>, task.repetition = array<i32: 0, 0>}
// CHECK: "k2_add" {{.*}}{task.cores = array<i32: [[FIRST]]>, task.repetition = array<i32: 0, 1>}
// CHECK: "k3_exp" {{.*}}{task.cores = array<i32: [[SECOND]]>, task.repetition = array<i32: 0, 1>}
// CHECK: "k4_add" {{.*}}{task.cores = array<i32: [[FIRST]]>, task.repetition = array<i32: 0, 2>}
// CHECK: "k5_exp" {{.*}}{task.cores = array<i32: [[SECOND]]>, task.repetition = array<i32: 0, 2>}
// CHECK: "k6_neg" {{.*}}{task.cores = array<i32: [[FIRST]]>}
// FEW-NOT: task.repetition
func.func @main(%x0: tensor<8x64xf32>, %w0: tensor<8x64xf32>, %w1: tensor<8x64xf32>, %w2: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %t0 = repro.kernel "k0_add" (%a = %x0 : tensor<8x64xf32>, %b = %w0 : tensor<8x64xf32>) -> (tensor<8x64xf32>) {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x1 = repro.kernel "k1_exp" (%a = %t0 : tensor<8x64xf32>) -> (tensor<8x64xf32>) {
    %s = repro.exp %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %t1 = repro.kernel "k2_add" (%a = %x1 : tensor<8x64xf32>, %b = %w1 : tensor<8x64xf32>) -> (tensor<8x64xf32>) {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x2 = repro.kernel "k3_exp" (%a = %t1 : tensor<8x64xf32>) -> (tensor<8x64xf32>) {
    %s = repro.exp %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %t2 = repro.kernel "k4_add" (%a = %x2 : tensor<8x64xf32>, %b = %w2 : tensor<8x64xf32>) -> (tensor<8x64xf32>) {
    %s = repro.add %a, %b : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %x3 = repro.kernel "k5_exp" (%a = %t2 : tensor<8x64xf32>) -> (tensor<8x64xf32>) {
    %s = repro.exp %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  %y = repro.kernel "k6_neg" (%a = %x3 : tensor<8x64xf32>) -> (tensor<8x64xf32>) {
    %s = repro.neg %a : tensor<8x64xf32>
    repro.yield %s : tensor<8x64xf32>
  }
  return %y : tensor<8x64xf32>
}
