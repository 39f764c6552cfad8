// Functions beyond --check-bits-work are left out, with one warning. A loop counts as often as it
// may run, even if it only moves data.

// RUN: gensyn-opt %s --check-bits=all --check-bits-work=100000 --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels)' 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: warning: not compared before and after pass 'repro-form-kernels', nor what is as large later: 'moves', which computes elements and operations: {{[0-9]+}}, of {{[0-9]+}} (--check-bits-work)
// LEFT-NOT: not compared

// Small functions are compared all the same.
// RUN: not gensyn-wrong-opt %s --check-bits=all --check-bits-work=100000 --wrong-reassociate-add 2>&1 | FileCheck %s --check-prefix=FOUND
// FOUND: error: pass 'wrong-reassociate-add' changes bits of 'small'

// RUN: gensyn-opt %s --check-bits=all --check-bits-work=0 --check-bits-trials=1 --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels)' 2>&1 | FileCheck %s --check-prefix=ALL
// ALL-NOT: warning

func.func @small(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %0 = repro.add %x, %y : tensor<4xf32>
  %1 = repro.add %0, %z : tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func @moves(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %y = repro.loop trips 20000 (%i, %a = %x : tensor<2x2xf32>) {
    %b = repro.transpose %a [1, 0] : tensor<2x2xf32> to tensor<2x2xf32>
    repro.yield %b : tensor<2x2xf32>
  }
  return %y : tensor<2x2xf32>
}

// A bound that is never reached: the flag ends the loop.
func.func @flagged(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %go = repro.constant dense<true> : tensor<i1>
  %y = repro.loop trips 9223372036854775807 while %go (%i, %a = %x : tensor<2x2xf32>) {
    %last = repro.constant dense<9> : tensor<i64>
    %more = repro.compare lt %i, %last : tensor<i64>
    %b = repro.transpose %a [1, 0] : tensor<2x2xf32> to tensor<2x2xf32>
    repro.yield %more, %b : tensor<i1>, tensor<2x2xf32>
  }
  return %y : tensor<2x2xf32>
}
