// A warning names a pass that leaves nothing to compare.

// RUN: gensyn-opt %s --check-bits=all --symbol-dce 2>&1 | FileCheck %s
// CHECK: warning: nothing was compared before and after pass 'symbol-dce'
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = repro.neg %a : tensor<4xf32>
  return %b : tensor<4xf32>
}
