// RUN: not gensyn-opt %s --gensyn-emit-gpu-kernels=sm=90 2>&1 | FileCheck %s

// CHECK: error: 'repro.kernel' op has a bad schedule: the matrix units do not multiply its elements
func.func @main(%a: tensor<40x16xi16>, %b: tensor<16x64xi8>) -> tensor<40x64xi32> {
  %y = repro.kernel "tile" (%x = %a : tensor<40x16xi16>, %w = %b : tensor<16x64xi8>) -> (tensor<40x64xi32>)
      schedule {matrix = true} {
    %c = repro.contract %x, %w domain <[40, 64, 16], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] : tensor<40x16xi16>, tensor<16x64xi8> -> tensor<40x64xi32>
    repro.yield %c : tensor<40x64xi32>
  }
  return %y : tensor<40x64xi32>
}
