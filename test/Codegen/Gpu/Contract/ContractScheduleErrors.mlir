// RUN: not gensyn-opt %s --gensyn-emit-gpu-kernels=sm=75 2>&1 | FileCheck %s

// CHECK: error: 'repro.kernel' op has a bad schedule: the target has no asynchronous copies
func.func @main(%a: tensor<40x16xf32>, %b: tensor<16x64xf32>) -> tensor<40x64xf32> {
  %y = repro.kernel "tile" (%x = %a : tensor<40x16xf32>, %w = %b : tensor<16x64xf32>) -> (tensor<40x64xf32>)
      schedule {async = true} {
    %c = repro.contract %x, %w domain <[40, 64, 16], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<40x16xf32>, tensor<16x64xf32> -> tensor<40x64xf32>
    repro.yield %c : tensor<40x64xf32>
  }
  return %y : tensor<40x64xf32>
}
