// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels))' | FileCheck %s

// The module has no op of repro, so the pass loads the dialect of its kernels.
// CHECK: %[[COPY:.+]] = repro.kernel "k0_copy" (%[[X:.+]] = %arg0 : tensor<3xf32>)
// CHECK-NEXT: repro.yield %[[X]]
// CHECK: return %[[COPY]]
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
