// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(task-split-sums{machine=%S/Inputs/four-cores.json always=true}))' | FileCheck %s

// Blocks are parts of their own, if they are not more than 256.
func.func @few(%x: tensor<512xf32>) -> tensor<512xf32> {
  // CHECK-LABEL: func.func @few(
  // CHECK-COUNT-256: _part
  // CHECK: _join
  %0 = repro.kernel "k" (%a = %x : tensor<512xf32>) -> tensor<512xf32> {
    %1 = repro.scan sum %a dim 0 order blocked<2, sequential, sequential> : tensor<512xf32>
    repro.yield %1 : tensor<512xf32>
  }
  return %0 : tensor<512xf32>
}

func.func @many(%x: tensor<514xf32>) -> tensor<514xf32> {
  // CHECK-LABEL: func.func @many(
  // CHECK-NOT: _part
  // CHECK: repro.kernel "k"
  // CHECK-NOT: _join
  %0 = repro.kernel "k" (%a = %x : tensor<514xf32>) -> tensor<514xf32> {
    %1 = repro.scan sum %a dim 0 order blocked<2, sequential, sequential> : tensor<514xf32>
    repro.yield %1 : tensor<514xf32>
  }
  return %0 : tensor<514xf32>
}
