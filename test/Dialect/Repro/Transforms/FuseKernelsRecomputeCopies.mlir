// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels),repro-fuse-kernels{forms=nearby,pointwise,recompute})' | FileCheck %s

// One kernel computes two copies of an argument, and a product that its readers
// compute again. Each copy stays a result of its own.
// CHECK: %[[COPIES:.+]]:2 = repro.kernel
// CHECK: %[[IMAGE:.+]] = repro.reshape %[[COPIES]]#0
// CHECK: return %[[COPIES]]#1, %[[IMAGE]]
func.func @main(%x: tensor<64xf32>, %s: tensor<2xf32>) -> (tensor<64xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>) {
  %image = repro.reshape %x : tensor<64xf32> to tensor<2x8x4xf32>
  %wide = repro.broadcast %s dims [0] : tensor<2xf32> to tensor<2x8x4xf32>
  %product = repro.mul %image, %wide : tensor<2x8x4xf32>
  %sum = repro.reduce sum %product domain <[2, 8, 4], reduce [1, 2]> maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0)>] order sequential : tensor<2x8x4xf32> -> tensor<2xf32>
  %sums = repro.broadcast %sum dims [0] : tensor<2xf32> to tensor<2x8x4xf32>
  %rest = repro.sub %product, %sums : tensor<2x8x4xf32>
  return %x, %image, %rest : tensor<64xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>
}
