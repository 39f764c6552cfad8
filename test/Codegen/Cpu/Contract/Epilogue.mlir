// RUN: gensyn-opt %s --gensyn-emit-cpu-kernels=target=x86-64-v4 | FileCheck %s

// Bias and residual are added in the micro-kernel, to final values of C in
// registers. A vector of C gets one element of the bias, that of its row. The
// residual, which is as far away as it is long, is fetched before the products;
// the bias is not. The only block of C is never in memory, so that the result
// may overwrite the residual.
// CHECK-LABEL: func.func private @conv_fetch_3(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr, %[[FAR:[a-z0-9]+]]: !llvm.ptr,
// CHECK: scf.for
// CHECK: llvm.getelementptr %[[FAR]]
// CHECK-COUNT-3: llvm.intr.prefetch
// CHECK-NOT: llvm.intr.prefetch
// CHECK-LABEL: func.func private @conv_micro_4x3(
// CHECK: math.fma
// CHECK: llvm.load %{{.+}} : !llvm.ptr -> f32
// CHECK: vector.broadcast
// CHECK: llvm.load %{{.+}} : !llvm.ptr -> vector<16xf32>
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: llvm.store %{{.+}} : vector<16xf32>
// CHECK-LABEL: func.func @conv(
// CHECK-SAME: memref<4x6x8xf32> {gensyn.in_place}, %{{[a-z0-9]+}}: memref<4x6x8xf32> {gensyn.in_place},
// CHECK: call @conv_fetch_3
// CHECK: call @conv_micro
// CHECK-NOT: call
func.func @main(%a: tensor<40x6x8xf32>, %b: tensor<4x40xf32>, %c: tensor<4xf32>, %e: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {
  %y = repro.kernel "conv" (%x = %a : tensor<40x6x8xf32>, %w = %b : tensor<4x40xf32>, %d = %c : tensor<4xf32>, %r = %e : tensor<4x6x8xf32>) -> (tensor<4x6x8xf32>) {
    %s = repro.contract %w, %x domain <[4, 6, 8, 40], reduce [3]>
      maps [affine_map<(d0, d1, d2, d3) -> (d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>,
            affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]
      bounds [in, in] order sequential : tensor<4x40xf32>, tensor<40x6x8xf32> -> tensor<4x6x8xf32>
    %f = repro.broadcast %d dims [0] : tensor<4xf32> to tensor<4x6x8xf32>
    %t = repro.add %s, %f : tensor<4x6x8xf32>
    %u = repro.add %t, %r : tensor<4x6x8xf32>
    repro.yield %u : tensor<4x6x8xf32>
  }
  return %y : tensor<4x6x8xf32>
}

// C holds the sum of the first block while the second one is added.
// CHECK-LABEL: func.func @blocks(
// CHECK-NOT: gensyn.in_place
// CHECK: call @blocks_micro
func.func @of_blocks(%a: tensor<160x48xf32>, %b: tensor<4x160xf32>, %e: tensor<4x48xf32>) -> tensor<4x48xf32> {
  %y = repro.kernel "blocks" (%x = %a : tensor<160x48xf32>, %w = %b : tensor<4x160xf32>, %r = %e : tensor<4x48xf32>) -> (tensor<4x48xf32>) {
    %s = repro.contract %w, %x domain <[4, 48, 160], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order blocked<80, sequential, sequential> : tensor<4x160xf32>, tensor<160x48xf32> -> tensor<4x48xf32>
    %u = repro.add %s, %r : tensor<4x48xf32>
    repro.yield %u : tensor<4x48xf32>
  }
  return %y : tensor<4x48xf32>
}

// A long epilogue is a function that reads C and writes the result over it.
// CHECK-LABEL: func.func private @long_epilogue_3(
// CHECK: scf.for
// CHECK: llvm.load %{{.+}} : !llvm.ptr -> vector<16xf32>
// CHECK: llvm.store %{{.+}} : vector<16xf32>
// CHECK-LABEL: func.func @long(
// CHECK: call @long_micro
// CHECK: scf.if
// CHECK: call @long_epilogue_3
func.func @of_function(%a: tensor<40x48xf32>, %b: tensor<4x40xf32>) -> tensor<4x48xf32> {
  %y = repro.kernel "long" (%x = %a : tensor<40x48xf32>, %w = %b : tensor<4x40xf32>) -> (tensor<4x48xf32>) {
    %s = repro.contract %w, %x domain <[4, 48, 40], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<4x40xf32>, tensor<40x48xf32> -> tensor<4x48xf32>
    %u = repro.exp %s : tensor<4x48xf32>
    repro.yield %u : tensor<4x48xf32>
  }
  return %y : tensor<4x48xf32>
}
