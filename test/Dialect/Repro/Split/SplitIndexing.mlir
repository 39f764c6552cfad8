// RUN: gensyn-wrong-opt %s --test-split-ops="seed=1 rounds=1" | FileCheck %s
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=1 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=2 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=3 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=4 -o %t.mlir

// An operation whose position is reported stays whole.
// CHECK-LABEL: func.func @indexing
// CHECK: repro.gather %arg0[%arg1] {{.*}} bounds fault : tensor<20x8xf32>, tensor<7xi32> -> tensor<7x8xf32>
func.func @indexing(%table: tensor<20x8xf32>, %ids: tensor<7xi32>, %updates: tensor<7x8xf32>)
    -> (tensor<7x8xf32>, tensor<7x8xf32>, tensor<20x8xf32>, tensor<8x8xf32>) {
  %0 = repro.gather %table[%ids] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds fault : tensor<20x8xf32>, tensor<7xi32> -> tensor<7x8xf32>
  %1 = repro.gather %table[%ids] maps [affine_map<(d0, d1)[s0] -> (s0 + d1 + 3, d0)>, affine_map<(d0, d1) -> (d0)>]
      bounds zero : tensor<20x8xf32>, tensor<7xi32> -> tensor<7x8xf32>
  %2 = repro.scatter add %table, %updates[%ids] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds zero : tensor<20x8xf32>, tensor<7x8xf32>, tensor<7xi32>
  %square = repro.slice %table start [0, 0] limit [8, 8] stride [1, 1] : tensor<20x8xf32> to tensor<8x8xf32>
  %row = repro.slice %updates start [0, 0] limit [1, 8] stride [1, 1] : tensor<7x8xf32> to tensor<1x8xf32>
  %line = repro.reshape %row : tensor<1x8xf32> to tensor<8xf32>
  // A diagonal.
  %3 = repro.scatter mul %square, %line[] maps [affine_map<(d0) -> (d0, d0)>] bounds zero : tensor<8x8xf32>, tensor<8xf32>
  return %0, %1, %2, %3 : tensor<7x8xf32>, tensor<7x8xf32>, tensor<20x8xf32>, tensor<8x8xf32>
}
