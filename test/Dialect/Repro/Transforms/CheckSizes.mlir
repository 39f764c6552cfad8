// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-check-sizes))' --split-input-file --verify-diagnostics

// As many as there may be, and none at all.
func.func @g2(%x: tensor<1048576x1048576xf32>, %none: tensor<4611686018427387904x4611686018427387904x0xf32>) -> tensor<1048576x1048576xf32> {
  %0 = repro.neg %x : tensor<1048576x1048576xf32>
  return %0 : tensor<1048576x1048576xf32>
}

// -----

// expected-error @+1 {{input 0 has 2199023255552 elements, the most is 1099511627776}}
func.func @g2_input(%x: tensor<2199023255552xf32>) {
  return
}
