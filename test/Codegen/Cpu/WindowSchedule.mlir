// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-emit-cpu-kernels{target=x86-64-v4},canonicalize,cse)' | FileCheck %s

// The gradient of a maximum of windows of stride 2: each phase of a row has a loop of
// its own, in which indices are not divided, and whose results are every other element.
// The taps of phase 1 that are out of bounds for all its elements are not read.
// CHECK-LABEL: func.func @gradient(
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: scf.for %{{.+}} = %c0 to %{{.+}} step %c16
// CHECK-NOT: arith.{{rem|div}}ui
// CHECK-NOT: gather
// CHECK: vector.shuffle %{{.+}}, %{{.+}} [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]
// CHECK: llvm.intr.masked.store
// CHECK: vector.shuffle %{{.+}}, %{{.+}} [8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15]
// CHECK: llvm.intr.masked.store
// CHECK: scf.for %{{.+}} = %c0 to %{{.+}} step %c16
// CHECK-NOT: arith.{{rem|div}}ui
// CHECK-NOT: gather
// CHECK: vector.shuffle
// CHECK: return
func.func @gradient(%w: tensor<8x34xi32>, %c: tensor<8x34xf32>) -> tensor<8x67xf32> {
  %y = repro.kernel "gradient" (%winner = %w : tensor<8x34xi32>, %g = %c : tensor<8x34xf32>) -> (tensor<8x67xf32>) {
    %b = repro.broadcast %winner dims [0, 1] : tensor<8x34xi32> to tensor<8x34x3xi32>
    %i = repro.iota dim 0 : tensor<3xi32>
    %n = repro.broadcast %i dims [2] : tensor<3xi32> to tensor<8x34x3xi32>
    %e = repro.compare eq %b, %n : tensor<8x34x3xi32>
    %s = repro.broadcast %g dims [0, 1] : tensor<8x34xf32> to tensor<8x34x3xf32>
    %z = repro.constant dense<0.0> : tensor<8x34x3xf32>
    %t = repro.select %e, %s, %z : tensor<8x34x3xf32>
    %r = repro.reduce sum %t domain <[8, 35, 2, 2], reduce [3]>
      maps [affine_map<(c, q, r, t) -> (c, q - t, 2 * t + r)>, affine_map<(c, q, r, t) -> (c, 2 * q + r - 1)>]
      order sequential : tensor<8x34x3xf32> -> tensor<8x67xf32>
    repro.yield %r : tensor<8x67xf32>
  }
  return %y : tensor<8x67xf32>
}
