// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-repeat{least=1})' | FileCheck %s

// Equal kernels that need nothing of each other may run at the same time, and do not repeat.
// CHECK-NOT: task.repetition
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %x0 = repro.kernel "k0_exp" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) {
    %s = repro.exp %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  %y1 = repro.kernel "k1_exp" (%a = %y : tensor<8xf32>) -> (tensor<8xf32>) {
    %s = repro.exp %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  %z2 = repro.kernel "k2_exp" (%a = %z : tensor<8xf32>) -> (tensor<8xf32>) {
    %s = repro.exp %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %x0, %y1, %z2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
