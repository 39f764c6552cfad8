// Before the freeze passes may change bits; after it they may not.

// RUN: gensyn-wrong-opt %s --check-bits --wrong-fuse | FileCheck %s
// CHECK: repro.fma
// RUN: not gensyn-wrong-opt %s --check-bits --repro-freeze --wrong-fuse 2>&1 | FileCheck %s --check-prefix=FROZEN
// FROZEN: error: pass 'wrong-fuse' changes bits of 'mul_add'
// RUN: not gensyn-wrong-opt %s --check-bits --repro-freeze --wrong-fuse 2>/dev/null

// The reduced module fails again.
// RUN: not gensyn-wrong-opt %s --check-bits --repro-freeze --wrong-fuse 2>&1 | sed -n '/^module/,$p' > %t.mlir
// RUN: FileCheck %s --check-prefix=CUT < %t.mlir
// CUT: module attributes {repro.digest =
// CUT: gensyn.input = dense<
// RUN: not gensyn-wrong-opt %t.mlir --check-bits --check-bits-trials=0 --wrong-fuse 2>&1 | FileCheck %s --check-prefix=FROZEN

// A pass inside of a pipeline is named; another seed gives other inputs.
// RUN: not gensyn-wrong-opt %s --check-bits --check-bits-seed=7 --pass-pipeline='builtin.module(repro-freeze,func.func(canonicalize,wrong-fuse,cse))' 2>&1 | FileCheck %s --check-prefix=NESTED
// NESTED: error: pass 'wrong-fuse' changes bits of 'mul_add': {{.+}} (seed 7, trial
func.func @mul_add(%a: tensor<33xf32>, %b: tensor<33xf32>, %c: tensor<33xf32>) -> tensor<33xf32> {
  %p = repro.mul %a, %b : tensor<33xf32>
  %s = repro.add %p, %c : tensor<33xf32>
  return %s : tensor<33xf32>
}
