// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-transpose-windows))' --check-bits=all | FileCheck %s

#image = affine_map<(b, f, h, w, c, y, x) -> (b, h * 2 + y, w * 2 + x, c)>
#filter = affine_map<(b, f, h, w, c, y, x) -> (f, c, y, x)>
#first = affine_map<(b, f, h, w, c, y, x) -> (b, f, h, w)>
#last = affine_map<(b, f, h, w, c, y, x) -> (b, h, w, f)>
#point = affine_map<(b, f, h, w, c) -> (b, h, w, c)>
#weight = affine_map<(b, f, h, w, c) -> (f, c)>
#plane = affine_map<(b, f, h, w, c) -> (b, f, h, w)>

// CHECK: #[[$IMAGE:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 2 + d6)>

// Two convolutions share the transpose.
// CHECK-LABEL: func.func @channels_first
// CHECK: %[[T:.+]] = repro.transpose %arg0 [0, 3, 1, 2] : tensor<1x4x6x3xf32> to tensor<1x3x4x6xf32>
// CHECK-NOT: repro.transpose
// CHECK: repro.contract %[[T]], %arg1 {{.*}} maps [#[[$IMAGE]],
// CHECK: repro.contract %arg1, %[[T]] {{.*}} maps [#{{.+}}, #[[$IMAGE]],
func.func @channels_first(%x: tensor<1x4x6x3xf32>, %w: tensor<5x3x2x2xf32>) -> (tensor<1x5x2x3xf32>, tensor<1x5x2x3xf32>) {
  %0 = repro.contract %x, %w domain <[1, 5, 2, 3, 3, 2, 2], reduce [4, 5, 6]> maps [#image, #filter, #first] bounds [in, in]
    order sequential : tensor<1x4x6x3xf32>, tensor<5x3x2x2xf32> -> tensor<1x5x2x3xf32>
  %1 = repro.contract %w, %x domain <[1, 5, 2, 3, 3, 2, 2], reduce [4, 5, 6]> maps [#filter, #image, #first] bounds [in, in]
    order sequential : tensor<5x3x2x2xf32>, tensor<1x4x6x3xf32> -> tensor<1x5x2x3xf32>
  return %0, %1 : tensor<1x5x2x3xf32>, tensor<1x5x2x3xf32>
}

// A result with channels last, and one without windows.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: repro.transpose
// CHECK: return
func.func @stays(%x: tensor<1x4x6x3xf32>, %w: tensor<5x3x2x2xf32>, %v: tensor<5x3xf32>) -> (tensor<1x2x3x5xf32>, tensor<1x5x4x6xf32>) {
  %0 = repro.contract %x, %w domain <[1, 5, 2, 3, 3, 2, 2], reduce [4, 5, 6]> maps [#image, #filter, #last] bounds [in, in]
    order sequential : tensor<1x4x6x3xf32>, tensor<5x3x2x2xf32> -> tensor<1x2x3x5xf32>
  %1 = repro.contract %x, %v domain <[1, 5, 4, 6, 3], reduce [4]> maps [#point, #weight, #plane] bounds [in, in]
    order sequential : tensor<1x4x6x3xf32>, tensor<5x3xf32> -> tensor<1x5x4x6xf32>
  return %0, %1 : tensor<1x2x3x5xf32>, tensor<1x5x4x6xf32>
}
