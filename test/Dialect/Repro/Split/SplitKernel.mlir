// RUN: gensyn-wrong-opt %s --test-split-ops="seed=2 rounds=1 kernels=true" | FileCheck %s
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops="seed=1 kernels=true" -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops="seed=3 kernels=true" -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops="seed=4 kernels=true" -o %t.mlir
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(repro-report-splits)' -o %t.mlir | FileCheck %s --check-prefix=SPLITS

// A piece of a kernel is a kernel over the tiles that it reads.

// Rows are reduced in each piece, whole; the scale is common to all. The results
// have the first dimension in common.
// SPLITS: softmax: kernel: 4 free, 9 none
// CHECK-LABEL: func.func @softmax
// CHECK: %[[X:.*]] = repro.slice %arg0 start [1, 0] limit [4, 9] stride [1, 1] : tensor<4x9xf32> to tensor<3x9xf32>
// CHECK: repro.kernel "softmax_1_0" (%{{.*}} = %[[X]] : tensor<3x9xf32>, %{{.*}} = %arg1 : tensor<9xf32>) -> (tensor<3x9xf32>, tensor<3xf32>)
// CHECK: repro.reduce sum {{.*}} domain <[3, 9], reduce [1]> {{.*}} order lanes<32>
// CHECK: repro.concat
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @softmax(%x: tensor<4x9xf32>, %g: tensor<9xf32>) -> (tensor<4x9xf32>, tensor<4xf32>) {
  %0:2 = repro.kernel "softmax" (%a = %x : tensor<4x9xf32>, %h = %g : tensor<9xf32>) -> (tensor<4x9xf32>, tensor<4xf32>) {
    %1 = repro.reduce max %a domain <[4, 9], reduce [1]> maps [#full, #row] : tensor<4x9xf32> -> tensor<4xf32>
    %2 = repro.broadcast %1 dims [0] : tensor<4xf32> to tensor<4x9xf32>
    %3 = repro.sub %a, %2 : tensor<4x9xf32>
    %4 = repro.exp %3 : tensor<4x9xf32>
    %5 = repro.reduce sum %4 domain <[4, 9], reduce [1]> maps [#full, #row] order lanes<32> : tensor<4x9xf32> -> tensor<4xf32>
    %6 = repro.broadcast %5 dims [0] : tensor<4xf32> to tensor<4x9xf32>
    %7 = repro.div %4, %6 : tensor<4x9xf32>
    %8 = repro.broadcast %h dims [1] : tensor<9xf32> to tensor<4x9xf32>
    %9 = repro.mul %7, %8 : tensor<4x9xf32>
    repro.yield %9, %5 : tensor<4x9xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4x9xf32>, tensor<4xf32>
}

// The image is read by windows and, beside them, as it is: one tile has both.
// SPLITS: residual: kernel: 1 free, 4 free, 8 free, 8 free
// CHECK-LABEL: func.func @residual
// CHECK: %[[X:.*]] = repro.slice %arg0 start [0, 0, 1, 0] limit [1, 4, 4, 8] stride [1, 1, 1, 1]
// CHECK: repro.kernel "residual_0_0_2_0" (%[[A:.*]] = %[[X]] : tensor<1x4x3x8xf32>, {{.*}}) -> (tensor<1x4x1x8xf32>)
// CHECK: %[[SUM:.*]] = repro.contract
// CHECK: %[[MIDDLE:.*]] = repro.slice %[[A]] start [0, 0, 1, 0] limit [1, 4, 2, 8] stride [1, 1, 1, 1]
// CHECK: repro.add %[[SUM]], %[[MIDDLE]]
func.func @residual(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %0 = repro.kernel "residual" (%a = %x : tensor<1x4x8x8xf32>, %b = %w : tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32> {
    %1 = repro.contract %a, %b domain <[1, 4, 8, 8, 4, 3, 3], reduce [4, 5, 6]>
        maps [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5 - 1, d3 + d6 - 1)>,
              affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>,
              affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]
        bounds [zero, in] order sequential : tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32> -> tensor<1x4x8x8xf32>
    %2 = repro.add %1, %a : tensor<1x4x8x8xf32>
    repro.yield %2 : tensor<1x4x8x8xf32>
  }
  return %0 : tensor<1x4x8x8xf32>
}

// A sort stays whole along its dimension, also behind other ops.
// SPLITS: top: kernel: 3 free, 2 free
// SPLITS: sorted: kernel: 3 free, 5 none
func.func @top(%x: tensor<3x9xf32>) -> tensor<3x2xf32> {
  %0 = repro.kernel "top" (%a = %x : tensor<3x9xf32>) -> tensor<3x2xf32> {
    %1, %2 = repro.sort descending %a dim 1 count 5 : tensor<3x9xf32> -> tensor<3x5xf32>, tensor<3x5xi32>
    %3 = repro.slice %1 start [0, 1] limit [3, 5] stride [1, 2] : tensor<3x5xf32> to tensor<3x2xf32>
    repro.yield %3 : tensor<3x2xf32>
  }
  return %0 : tensor<3x2xf32>
}

func.func @sorted(%x: tensor<3x9xf32>) -> tensor<3x5xf32> {
  %0 = repro.kernel "sorted" (%a = %x : tensor<3x9xf32>) -> tensor<3x5xf32> {
    %1, %2 = repro.sort descending %a dim 1 count 5 : tensor<3x9xf32> -> tensor<3x5xf32>, tensor<3x5xi32>
    repro.yield %1 : tensor<3x5xf32>
  }
  return %0 : tensor<3x5xf32>
}

// Old elements read nothing of the new ones, which are reshaped.
// SPLITS: cached: kernel: 8 free
// CHECK-LABEL: func.func @cached
// CHECK: repro.slice %arg1 start [0, 0] limit [0, 0] stride [1, 1] : tensor<1x2xf32> to tensor<0x0xf32>
func.func @cached(%x: tensor<6xf32>, %v: tensor<1x2xf32>) -> tensor<8xf32> {
  %0 = repro.kernel "cached" (%a = %x : tensor<6xf32>, %b = %v : tensor<1x2xf32>) -> tensor<8xf32> {
    %1 = repro.exp %b : tensor<1x2xf32>
    %2 = repro.reshape %1 : tensor<1x2xf32> to tensor<2xf32>
    %3 = repro.concat %a, %2 dim 0 : (tensor<6xf32>, tensor<2xf32>) -> tensor<8xf32>
    repro.yield %3 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
