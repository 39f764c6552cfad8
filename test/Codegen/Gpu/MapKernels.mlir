// RUN: gensyn-opt %s --pass-pipeline='builtin.module(convert-repro-to-linalg,func.func(convert-linalg-to-parallel-loops),gensyn-map-kernels-to-gpu{block-size=64},canonicalize,cse)' | FileCheck %s

// CHECK: module attributes {gpu.container_module}
// CHECK: gpu.module @kernels
// CHECK: gpu.func @matmul(%[[A:.*]]: memref<4x64xf32>, %[[B:.*]]: memref<64x30xf32>, %[[C:.*]]: memref<4x30xf32>) kernel
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK-SAME: known_grid_size = array<i32: 2, 1, 1>
// CHECK-DAG: %[[BLOCK:.*]] = gpu.block_id  x
// CHECK-DAG: %[[THREAD:.*]] = gpu.thread_id  x
// CHECK: %[[FLAT:.*]] = arith.addi %{{.*}}, %[[THREAD]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[FLAT]], %c120
// CHECK: scf.if %[[INSIDE]] {
// CHECK-DAG: %[[J:.*]] = arith.remui %[[FLAT]], %c30
// CHECK-DAG: %[[I:.*]] = arith.divui %[[FLAT]], %c30
// CHECK: scf.for %[[K:.*]] = %c0
// CHECK-DAG: memref.load %[[A]][%[[I]], %[[K]]]
// CHECK-DAG: memref.load %[[B]][%[[K]], %[[J]]]
// CHECK: math.fma
// CHECK: memref.store %{{.*}}, %[[C]][%[[I]], %[[J]]]
// CHECK: gpu.return
func.func @main(%x: tensor<4x64xf32>, %w: tensor<64x30xf32>) -> tensor<4x30xf32> {
  %y = repro.kernel "matmul" (%a = %x : tensor<4x64xf32>, %b = %w : tensor<64x30xf32>) -> tensor<4x30xf32> {
    %c = repro.contract %a, %b domain <[4, 30, 64], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
              affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<4x64xf32>, tensor<64x30xf32> -> tensor<4x30xf32>
    repro.yield %c : tensor<4x30xf32>
  }
  return %y : tensor<4x30xf32>
}
