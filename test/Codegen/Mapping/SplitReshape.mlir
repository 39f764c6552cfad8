// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(task-split-sums{machine=gap9},task-split{machine=gap9},task-tile{machine=gap9}))' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(task-split-sums{machine=a100}))' | FileCheck %s --check-prefix=SUM

// A group of channels as one row: a tile of one channel and some of its lines reads that part
// of the row, and not all of it, which does not fit.
// CHECK-LABEL: func.func @channels
// CHECK: repro.kernel "k0_mul"
// CHECK-SAME: task.tiles = array<i64: 1, 1, {{[0-9]+}}, 128>
func.func @channels(%x: tensor<1x8x65536xf32>, %s: tensor<32xf32>) -> tensor<1x32x128x128xf32> {
  %y = repro.kernel "k0_mul" (%a = %x : tensor<1x8x65536xf32>, %b = %s : tensor<32xf32>) -> (tensor<1x32x128x128xf32>) {
    %0 = repro.reshape %a : tensor<1x8x65536xf32> to tensor<1x32x128x128xf32>
    %1 = repro.broadcast %b dims [1] : tensor<32xf32> to tensor<1x32x128x128xf32>
    %2 = repro.mul %0, %1 : tensor<1x32x128x128xf32>
    repro.yield %2 : tensor<1x32x128x128xf32>
  }
  return %y : tensor<1x32x128x128xf32>
}

// A row that is read where it lies is read element by element: cutting its sum is worth its
// join.
// SUM-LABEL: func.func @rows
// SUM: repro.kernel "k1_reduce_part63"
// SUM: repro.kernel "k1_reduce_join"
func.func @rows(%x: tensor<8x65536xf32>) -> tensor<8xf32> {
  %y = repro.kernel "k1_reduce" (%a = %x : tensor<8x65536xf32>) -> (tensor<8xf32>) {
    %0 = repro.reduce sum %a domain <[8, 65536], reduce [1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order blocked<1024, lanes<32>, lanes<32>> : tensor<8x65536xf32> -> tensor<8xf32>
    repro.yield %0 : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}
