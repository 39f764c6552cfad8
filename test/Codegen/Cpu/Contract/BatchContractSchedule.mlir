// RUN: gensyn-opt %s --gensyn-emit-cpu-kernels=target=x86-64-v4 | FileCheck %s

// A depthwise convolution: 14 results of a row at a time, each a vector of
// channels; the 9 taps of a point after another are unrolled.
// CHECK-LABEL: func.func private @depthwise_lanes0(
// CHECK-COUNT-126: math.fma
// CHECK-NOT: math.fma
// CHECK-LABEL: func.func @depthwise(
// CHECK: call @depthwise_lanes0
func.func @main(%a: tensor<1x32x14x14xf32>, %b: tensor<32x3x3xf32>) -> tensor<1x32x14x14xf32> {
  %y = repro.kernel "depthwise" (%x = %a : tensor<1x32x14x14xf32>, %w = %b : tensor<32x3x3xf32>) -> (tensor<1x32x14x14xf32>) {
    %c = repro.contract %x, %w domain <[1, 32, 14, 14, 3, 3], reduce [4, 5]>
      maps [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4 - 1, d3 + d5 - 1)>,
            affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d4, d5)>,
            affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]
      bounds [zero, in] order sequential : tensor<1x32x14x14xf32>, tensor<32x3x3xf32> -> tensor<1x32x14x14xf32>
    repro.yield %c : tensor<1x32x14x14xf32>
  }
  return %y : tensor<1x32x14x14xf32>
}
