// RUN: gensyn-opt %s --gensyn-emit-cpu-kernels=target=x86-64-v4 | FileCheck %s

// Bias, residual and activation are computed after each register tile, by a
// function that reads C and writes the result over it. A vector of C gets one
// element of the bias, that of its row. The residual, which is as far away as
// it is long, is fetched before the products; the bias is not.
// CHECK-LABEL: func.func private @conv_fetch_3(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr, %[[FAR:[a-z0-9]+]]: !llvm.ptr,
// CHECK: scf.for
// CHECK: llvm.getelementptr %[[FAR]]
// CHECK-COUNT-3: llvm.intr.prefetch
// CHECK-NOT: llvm.intr.prefetch
// CHECK-LABEL: func.func private @conv_micro_4x3(
// CHECK-LABEL: func.func private @conv_epilogue_3(
// CHECK-SAME: %[[D:[a-z0-9]+]]: !llvm.ptr, %[[R:[a-z0-9]+]]: !llvm.ptr, %[[Y:[a-z0-9]+]]: !llvm.ptr, %[[C:[a-z0-9]+]]: !llvm.ptr
// CHECK: scf.for
// CHECK: llvm.load %{{.+}} : !llvm.ptr -> f32
// CHECK: vector.broadcast
// CHECK: llvm.load %{{.+}} : !llvm.ptr -> vector<16xf32>
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: llvm.store %{{.+}} : vector<16xf32>
// CHECK-LABEL: func.func @conv(
// CHECK: call @conv_fetch_3
// CHECK: call @conv_micro
// CHECK: scf.if
// CHECK: call @conv_epilogue_3
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
