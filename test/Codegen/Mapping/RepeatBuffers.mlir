// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(task-repeat{least=1})' | FileCheck %s

// Pairs of equal kernels, but the first pair reads one value twice, for which the second one
// reads two.
// CHECK-NOT: task.repetition
func.func @main(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> {
  %a0 = repro.kernel "k0_neg" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  %a1 = repro.kernel "k1_add" (%a = %a0 : tensor<8xf32>, %b = %x : tensor<8xf32>) -> (tensor<8xf32>) {
    %s = repro.add %a, %b : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  %a2 = repro.kernel "k2_neg" (%a = %a1 : tensor<8xf32>) -> (tensor<8xf32>) {
    %s = repro.neg %a : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  %a3 = repro.kernel "k3_add" (%a = %a2 : tensor<8xf32>, %b = %w : tensor<8xf32>) -> (tensor<8xf32>) {
    %s = repro.add %a, %b : tensor<8xf32>
    repro.yield %s : tensor<8xf32>
  }
  return %a3 : tensor<8xf32>
}
