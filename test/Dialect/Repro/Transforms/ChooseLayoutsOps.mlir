// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-choose-layouts{always}))' --check-bits=all | FileCheck %s

#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5 - 1, d3 + d6 - 1)>
#filter = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
#window = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4, d3 * 2 + d5)>
#pooled = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>

// CHECK-DAG: #[[$IMAGE:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d5 - 1, d3 + d6 - 1, d4)>
// CHECK-DAG: #[[$RESULT:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d3, d1)>
// CHECK-DAG: #[[$WINDOW:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2 * 2 + d4, d3 * 2 + d5, d1)>
// CHECK-DAG: #[[$POOLED:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d1)>

// Each op that follows a convolution has its dimensions permuted.
// CHECK-LABEL: func.func @ops
// CHECK: repro.transpose %arg0 [0, 2, 3, 1]
// CHECK: repro.contract {{.*}} maps [#[[$IMAGE]], #{{.+}}, #[[$RESULT]]] bounds [zero, in] order sequential : tensor<2x6x5x20xf32>, tensor<3x20x3x3xf32> -> tensor<2x6x5x3xf32>
// CHECK: repro.broadcast %arg2 dims [3] : tensor<3xf32> to tensor<2x6x5x3xf32>
// CHECK: repro.add {{.*}} : tensor<2x6x5x3xf32>
// CHECK: repro.compare le {{.*}} : tensor<2x6x5x3xf32>
// CHECK: repro.select {{.*}} : tensor<2x6x5x3xf32>
// CHECK: repro.concat {{.*}} dim 3 : (tensor<2x6x5x3xf32>, tensor<2x6x5x3xf32>) -> tensor<2x6x5x6xf32>
// CHECK: repro.slice {{.*}} start [0, 0, 1, 2] limit [2, 6, 5, 6] stride [1, 1, 1, 3] : tensor<2x6x5x6xf32> to tensor<2x6x4x2xf32>
// CHECK: repro.pad {{.*}} low [0, 1, 0, 0] high [0, 0, 2, 0] interior [0, 0, 0, 0] : tensor<2x6x4x2xf32>, tensor<f32> to tensor<2x7x6x2xf32>
// CHECK: repro.reduce max {{.*}} maps [#[[$WINDOW]], #[[$POOLED]]] : tensor<2x7x6x2xf32> -> tensor<2x3x3x2xf32>
// CHECK: repro.transpose {{.*}} [0, 3, 1, 2] : tensor<2x3x3x2xf32> to tensor<2x2x3x3xf32>
// CHECK-NOT: repro.transpose
// CHECK: return
func.func @ops(%x: tensor<2x20x6x5xf32>, %w: tensor<3x20x3x3xf32>, %b: tensor<3xf32>) -> tensor<2x2x3x3xf32> {
  %c = repro.contract %x, %w domain <[2, 3, 6, 5, 20, 3, 3], reduce [4, 5, 6]> maps [#image, #filter, #result]
    bounds [zero, in] order sequential : tensor<2x20x6x5xf32>, tensor<3x20x3x3xf32> -> tensor<2x3x6x5xf32>
  %bb = repro.broadcast %b dims [1] : tensor<3xf32> to tensor<2x3x6x5xf32>
  %s = repro.add %c, %bb : tensor<2x3x6x5xf32>
  %zeros = repro.constant dense<0.0> : tensor<2x3x6x5xf32>
  %p = repro.compare le %s, %zeros : tensor<2x3x6x5xf32>
  %r = repro.select %p, %zeros, %s : tensor<2x3x6x5xf32>
  %j = repro.concat %r, %s dim 1 : (tensor<2x3x6x5xf32>, tensor<2x3x6x5xf32>) -> tensor<2x6x6x5xf32>
  %l = repro.slice %j start [0, 2, 0, 1] limit [2, 6, 6, 5] stride [1, 3, 1, 1] : tensor<2x6x6x5xf32> to tensor<2x2x6x4xf32>
  %zero = repro.constant dense<0.0> : tensor<f32>
  %d = repro.pad %l, %zero low [0, 0, 1, 0] high [0, 0, 0, 2] interior [0, 0, 0, 0]
    : tensor<2x2x6x4xf32>, tensor<f32> to tensor<2x2x7x6xf32>
  %m = repro.reduce max %d domain <[2, 2, 3, 3, 2, 2], reduce [4, 5]> maps [#window, #pooled]
    : tensor<2x2x7x6xf32> -> tensor<2x2x3x3xf32>
  return %m : tensor<2x2x3x3xf32>
}

// A value that is read in both layouts is transposed once.
// CHECK-LABEL: func.func @both
// CHECK: %[[C:.+]] = repro.contract
// CHECK: %[[T:.+]] = repro.transpose %[[C]] [0, 3, 1, 2]
// CHECK: repro.contract %[[C]], %arg1
// CHECK: repro.reverse %[[T]]
// CHECK: return {{.*}}, {{.*}}, %[[T]]
func.func @both(%x: tensor<1x16x6x5xf32>, %w: tensor<16x16x3x3xf32>) -> (tensor<1x16x6x5xf32>, tensor<1x16x6x5xf32>, tensor<1x16x6x5xf32>) {
  %c = repro.contract %x, %w domain <[1, 16, 6, 5, 16, 3, 3], reduce [4, 5, 6]> maps [#image, #filter, #result]
    bounds [zero, in] order sequential : tensor<1x16x6x5xf32>, tensor<16x16x3x3xf32> -> tensor<1x16x6x5xf32>
  %d = repro.contract %c, %w domain <[1, 16, 6, 5, 16, 3, 3], reduce [4, 5, 6]> maps [#image, #filter, #result]
    bounds [zero, in] order sequential : tensor<1x16x6x5xf32>, tensor<16x16x3x3xf32> -> tensor<1x16x6x5xf32>
  %r = repro.reverse %c dims [2] : tensor<1x16x6x5xf32>
  return %d, %r, %c : tensor<1x16x6x5xf32>, tensor<1x16x6x5xf32>, tensor<1x16x6x5xf32>
}

// Channels that are apart, as in a depthwise convolution, are no sum over them.
// CHECK-LABEL: func.func @depthwise
// CHECK-NOT: repro.transpose
// CHECK: return
func.func @depthwise(%x: tensor<1x4x6x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x4x6x5xf32> {
  %c = repro.contract %x, %w domain <[1, 4, 6, 5, 3, 3], reduce [4, 5]>
    maps [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4 - 1, d3 + d5 - 1)>,
          affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]
    bounds [zero, in] order sequential : tensor<1x4x6x5xf32>, tensor<4x3x3xf32> -> tensor<1x4x6x5xf32>
  return %c : tensor<1x4x6x5xf32>
}
