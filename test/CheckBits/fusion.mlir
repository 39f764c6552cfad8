// Fused kernels have the bits of their parts, in every form and at every level down to each target;
// and a fusion that confuses two values is found.

// RUN: gensyn-opt %s --check-bits=all --gensyn-kernel-pipeline=forms=all | FileCheck %s
// CHECK-LABEL: func.func @softmax
// CHECK-COUNT-1: = repro.kernel
// CHECK-LABEL: func.func @update
// CHECK-COUNT-1: = repro.kernel
// CHECK-LABEL: func.func @dense
// CHECK-COUNT-1: = repro.kernel
// CHECK-NOT: = repro.kernel
// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(gensyn-kernel-pipeline{forms=all},convert-repro-to-linalg,convert-linalg-to-loops,canonicalize,cse)' -o %t.mlir
// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(gensyn-kernel-pipeline{forms=all},gensyn-emit-cpu-kernels,canonicalize,cse)' -o %t.mlir
// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(gensyn-kernel-pipeline{forms=all},convert-repro-to-linalg,convert-linalg-to-parallel-loops,gensyn-map-kernels-to-gpu,canonicalize,gpu.module(gensyn-lower-gpu-to-nvvm,canonicalize,cse))' -o %t.mlir
// RUN: not gensyn-wrong-opt %s --check-bits=all --gensyn-kernel-pipeline=forms=all --wrong-swap-results 2>&1 | FileCheck %s --check-prefix=SWAP
// SWAP: error: pass 'wrong-swap-results' changes bits of 'softmax'

#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @softmax(%x: tensor<4x9xf32>) -> (tensor<4x9xf32>, tensor<4x9xf32>, tensor<4xf32>) {
  %m = repro.reduce max %x domain <[4, 9], reduce [1]> maps [#full, #row] : tensor<4x9xf32> -> tensor<4xf32>
  %n = repro.broadcast %m dims [0] : tensor<4xf32> to tensor<4x9xf32>
  %d = repro.sub %x, %n : tensor<4x9xf32>
  %e = repro.exp %d : tensor<4x9xf32>
  %s = repro.reduce sum %e domain <[4, 9], reduce [1]> maps [#full, #row] order lanes<32> : tensor<4x9xf32> -> tensor<4xf32>
  %b = repro.broadcast %s dims [0] : tensor<4xf32> to tensor<4x9xf32>
  %y = repro.div %e, %b : tensor<4x9xf32>
  return %e, %y, %s : tensor<4x9xf32>, tensor<4x9xf32>, tensor<4xf32>
}

func.func @update(%w: tensor<4x9xf32>, %dw: tensor<4x9xf32>, %b: tensor<7xf32>, %db: tensor<7xf32>, %s: tensor<f32>, %ds: tensor<f32>, %lr: tensor<f32>)
    -> (tensor<4x9xf32>, tensor<7xf32>, tensor<f32>) {
  %0 = repro.broadcast %lr dims [] : tensor<f32> to tensor<4x9xf32>
  %1 = repro.mul %0, %dw : tensor<4x9xf32>
  %2 = repro.sub %w, %1 : tensor<4x9xf32>
  %3 = repro.broadcast %lr dims [] : tensor<f32> to tensor<7xf32>
  %4 = repro.mul %3, %db : tensor<7xf32>
  %5 = repro.sub %b, %4 : tensor<7xf32>
  %6 = repro.mul %lr, %ds : tensor<f32>
  %7 = repro.sub %s, %6 : tensor<f32>
  return %2, %5, %7 : tensor<4x9xf32>, tensor<7xf32>, tensor<f32>
}

func.func @dense(%x: tensor<6x8xf32>, %w: tensor<8x5xf32>, %b: tensor<5xf32>, %r: tensor<2x3x5xf32>) -> (tensor<6x5xf32>, tensor<2x3x5xbf16>) {
  %c = repro.contract %x, %w domain <[6, 5, 8], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<6x8xf32>, tensor<8x5xf32> -> tensor<6x5xf32>
  %d = repro.broadcast %b dims [1] : tensor<5xf32> to tensor<6x5xf32>
  %s = repro.add %c, %d : tensor<6x5xf32>
  %a = repro.tanh %s : tensor<6x5xf32>
  %t = repro.reshape %a : tensor<6x5xf32> to tensor<2x3x5xf32>
  %u = repro.add %t, %r : tensor<2x3x5xf32>
  %y = repro.convert %u : tensor<2x3x5xf32> to tensor<2x3x5xbf16>
  return %s, %y : tensor<6x5xf32>, tensor<2x3x5xbf16>
}
