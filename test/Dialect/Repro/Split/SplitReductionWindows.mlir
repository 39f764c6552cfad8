// RUN: gensyn-wrong-opt %s --test-split-ops="seed=2 rounds=1" | FileCheck %s
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=1 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=4 -o %t.mlir
// RUN: gensyn-wrong-opt %s --check-bits=all --test-split-ops=seed=9 -o %t.mlir

// A piece of a strided convolution reads the rows that its windows reach; what is
// outside of the image is outside of the tile.
// CHECK-LABEL: func.func @forward
// CHECK: repro.slice %arg1 start [0, 2, 0, 0] limit [6, 4, 3, 3] stride [1, 1, 1, 1]
// CHECK: repro.contract {{.*}} domain <[1, 6, 5, 5, 2, 3, 3], reduce [4, 5, 6]> {{.*}} bounds [zero, in] order sequential
func.func @forward(%x: tensor<1x4x9x9xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x5x5xf32> {
  %0 = repro.contract %x, %w domain <[1, 6, 5, 5, 4, 3, 3], reduce [4, 5, 6]>
      maps [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5 - 1, d3 * 2 + d6 - 1)>,
            affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>,
            affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]
      bounds [zero, in] order blocked<18, sequential, sequential>
      : tensor<1x4x9x9xf32>, tensor<6x4x3x3xf32> -> tensor<1x6x5x5xf32>
  return %0 : tensor<1x6x5x5xf32>
}

// The gradient of the image has the phases of the stride, which stay whole.
// CHECK-LABEL: func.func @gradient
// CHECK: repro.slice %arg0 start [0, 0, 0, 0] limit [1, 6, 2, 5] stride [1, 1, 1, 1]
// CHECK: repro.contract {{.*}} domain <[1, 4, 2, 2, 5, 2, 6, 2, 2], reduce [6, 7, 8]> {{.*}} -> tensor<1x4x2x9xf32>
func.func @gradient(%g: tensor<1x6x5x5xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x4x9x9xf32> {
  %0 = repro.contract %g, %w domain <[1, 4, 6, 2, 6, 2, 6, 2, 2], reduce [6, 7, 8]>
      maps [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d6, d2 - d7, d4 - d8)>,
            affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d6, d1, d7 * 2 + d3, d8 * 2 + d5)>,
            affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1, d2 * 2 + d3 - 1, d4 * 2 + d5 - 1)>]
      bounds [skip, skip] order sequential
      : tensor<1x6x5x5xf32>, tensor<6x4x3x3xf32> -> tensor<1x4x9x9xf32>
  return %0 : tensor<1x4x9x9xf32>
}

func.func @pool(%x: tensor<1x4x9x9xf32>) -> tensor<1x4x5x5xf32> {
  %0 = repro.reduce max %x domain <[1, 4, 5, 5, 3, 3], reduce [4, 5]>
      maps [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4 - 1, d3 * 2 + d5 - 1)>,
            affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>] : tensor<1x4x9x9xf32> -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// A window of one tap: zeros are before and after the image.
func.func @tap(%x: tensor<4x9xf32>, %w: tensor<6x4xf32>) -> tensor<6x12xf32> {
  %0 = repro.contract %x, %w domain <[6, 12, 4], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d2, d1 - 1)>, affine_map<(d0, d1, d2) -> (d0, d2)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [zero, in] order sequential : tensor<4x9xf32>, tensor<6x4xf32> -> tensor<6x12xf32>
  return %0 : tensor<6x12xf32>
}
