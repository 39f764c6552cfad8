// Wrong passes on reductions and indexing; see elementwise.mlir.

// RUN: gensyn-wrong-opt %s --check-bits=all --canonicalize --cse --gensyn-kernel-pipeline
// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-parallel-sum 2>&1 | FileCheck %s --check-prefix=PARALLEL
// PARALLEL: error: pass 'wrong-parallel-sum' changes bits of 'sequential'
// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-sum-backwards 2>&1 | FileCheck %s --check-prefix=BACKWARDS
// BACKWARDS: error: pass 'wrong-sum-backwards' changes bits of 'sequential'
func.func @sequential(%x: tensor<3x65xf32>) -> tensor<3xf32> {
  %s = repro.reduce sum %x domain <[3, 65], reduce [1]>
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order sequential
    : tensor<3x65xf32> -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-halve-lanes 2>&1 | FileCheck %s --check-prefix=LANES
// LANES: error: pass 'wrong-halve-lanes' changes bits of 'lanes'
func.func @lanes(%x: tensor<3x65xf32>) -> tensor<3xf32> {
  %s = repro.reduce sum %x domain <[3, 65], reduce [1]>
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order lanes<32>
    : tensor<3x65xf32> -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-blocks 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: error: pass 'wrong-blocks' changes bits of 'matmul'
func.func @matmul(%a: tensor<4x65xf32>, %b: tensor<65x5xf32>) -> tensor<4x5xf32> {
  %c = repro.contract %a, %b domain <[4, 5, 65], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] order blocked<16, sequential, sequential>
    : tensor<4x65xf32>, tensor<65x5xf32> -> tensor<4x5xf32>
  return %c : tensor<4x5xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-drop-contract-zero 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: pass 'wrong-drop-contract-zero' changes bits of 'outer': {{.+}}: expected 0x00000000 (0x0p+0), found 0x80000000 (-0x0p+0)
func.func @outer(%a: tensor<7x1xf32>, %b: tensor<1x5xf32>) -> tensor<7x5xf32> {
  %c = repro.contract %a, %b domain <[7, 5, 1], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] order sequential : tensor<7x1xf32>, tensor<1x5xf32> -> tensor<7x5xf32>
  return %c : tensor<7x5xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-max-without-nan 2>&1 | FileCheck %s --check-prefix=MAX
// MAX: error: pass 'wrong-max-without-nan' changes bits of 'max': {{.+}}: expected 0x7FC00000 (nan)
func.func @max(%x: tensor<3x65xf32>) -> tensor<3xf32> {
  %s = repro.reduce max %x domain <[3, 65], reduce [1]>
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
    : tensor<3x65xf32> -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-last-winner 2>&1 | FileCheck %s --check-prefix=WINNER
// WINNER: error: pass 'wrong-last-winner' changes bits of 'winner'
func.func @winner(%x: tensor<3x65xi8>) -> tensor<3xi32> {
  %s = repro.arg_reduce max %x domain <[3, 65], reduce [1]>
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
    : tensor<3x65xi8> -> tensor<3xi32>
  return %s : tensor<3xi32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-reorder-scatter 2>&1 | FileCheck %s --check-prefix=SCATTER
// SCATTER: error: pass 'wrong-reorder-scatter' changes bits of 'scatter'
func.func @scatter(%base: tensor<4xf32>, %updates: tensor<33xf32>, %ids: tensor<33xi64>) -> tensor<4xf32> {
  %y = repro.scatter add %base, %updates[%ids] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>]
    bounds zero : tensor<4xf32>, tensor<33xf32>, tensor<33xi64>
  return %y : tensor<4xf32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-unstable-sort 2>&1 | FileCheck %s --check-prefix=SORT
// SORT: error: pass 'wrong-unstable-sort' changes bits of 'sort': result 1
func.func @sort(%x: tensor<33xi8>) -> (tensor<33xi8>, tensor<33xi32>) {
  %v, %p = repro.sort ascending %x dim 0 count 33 : tensor<33xi8> -> tensor<33xi8>, tensor<33xi32>
  return %v, %p : tensor<33xi8>, tensor<33xi32>
}

// RUN: not gensyn-wrong-opt %s --check-bits=all --wrong-stream 2>&1 | FileCheck %s --check-prefix=STREAM
// STREAM: error: pass 'wrong-stream' changes bits of 'bits'
func.func @bits(%key: tensor<2xui32>, %step: tensor<ui32>, %draw: tensor<ui32>) -> tensor<5xui32> {
  %b = repro.random_bits %key, %step, %draw stream 3 : tensor<5xui32>
  return %b : tensor<5xui32>
}
