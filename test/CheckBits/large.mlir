// Functions that exceed memory, or would run for hours, are not compared, and a warning says so.

// RUN: gensyn-opt %s --check-bits=all --canonicalize 2>&1 | FileCheck %s
// CHECK: warning: nothing was compared before and after pass 'canonicalize'
func.func @main(%x: tensor<1048576x1048576xf32>) -> tensor<1048576x1048576xf32> {
  %0 = repro.transpose %x [0, 1] : tensor<1048576x1048576xf32> to tensor<1048576x1048576xf32>
  %1 = repro.neg %0 : tensor<1048576x1048576xf32>
  return %1 : tensor<1048576x1048576xf32>
}
