// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-assign-orders))' | FileCheck %s

// The numbers of the default policy's table in docs/Numerics.md.

// CHECK-LABEL: @reduce
func.func @reduce(%x: tensor<2x768xf32>, %y: tensor<2x50257xf32>, %i: tensor<2x768xi32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>) {
  // CHECK: order lanes<32> : tensor<2x768xf32>
  %0 = repro.reduce sum %x domain <[2, 768], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<2x768xf32> -> tensor<2xf32>
  // CHECK: order blocked<1024, lanes<32>, lanes<32>> : tensor<2x50257xf32>
  %1 = repro.reduce sum %y domain <[2, 50257], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<2x50257xf32> -> tensor<2xf32>
  // CHECK: repro.reduce sum
  // CHECK-NOT: order
  // CHECK-SAME: tensor<2x768xi32>
  %2 = repro.reduce sum %i domain <[2, 768], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] : tensor<2x768xi32> -> tensor<2xi32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>
}

// A block's worth of points is one block; the next point begins a second one.
#in = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0) -> ()>
#dot = affine_map<(d0, d1) -> (d0, d1)>
#dots = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: @limits
func.func @limits(%a: tensor<1024xf32>, %b: tensor<1025xf32>, %c: tensor<1x1024xf32>, %d: tensor<1x1025xf32>)
    -> (tensor<f32>, tensor<f32>, tensor<1xf32>, tensor<1xf32>, tensor<1024xf32>, tensor<1025xf32>) {
  // CHECK: order lanes<32> : tensor<1024xf32>
  %0 = repro.reduce sum %a domain <[1024], reduce [0]> maps [#in, #sum] : tensor<1024xf32> -> tensor<f32>
  // CHECK: order blocked<1024, lanes<32>, lanes<32>> : tensor<1025xf32>
  %1 = repro.reduce sum %b domain <[1025], reduce [0]> maps [#in, #sum] : tensor<1025xf32> -> tensor<f32>
  // CHECK: order sequential : tensor<1x1024xf32>
  %2 = repro.contract %c, %c domain <[1, 1024], reduce [1]> maps [#dot, #dot, #dots] bounds [in, in]
      : tensor<1x1024xf32>, tensor<1x1024xf32> -> tensor<1xf32>
  // CHECK: order blocked<1024, sequential, sequential> : tensor<1x1025xf32>
  %3 = repro.contract %d, %d domain <[1, 1025], reduce [1]> maps [#dot, #dot, #dots] bounds [in, in]
      : tensor<1x1025xf32>, tensor<1x1025xf32> -> tensor<1xf32>
  // CHECK: order sequential : tensor<1024xf32>
  %4 = repro.scan sum %a dim 0 : tensor<1024xf32>
  // CHECK: order blocked<1024, sequential, sequential> : tensor<1025xf32>
  %5 = repro.scan sum %b dim 0 : tensor<1025xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<f32>, tensor<f32>, tensor<1xf32>, tensor<1xf32>, tensor<1024xf32>, tensor<1025xf32>
}

// Whole inner extents make the block longer, here to all 1040 points: one chain, and no block of blocks.
#whole = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#wholes = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-LABEL: @one_block
func.func @one_block(%a: tensor<1x2x520xf32>) -> tensor<1xf32> {
  // CHECK: order sequential
  %0 = repro.contract %a, %a domain <[1, 2, 520], reduce [1, 2]> maps [#whole, #whole, #wholes] bounds [in, in]
      : tensor<1x2x520xf32>, tensor<1x2x520xf32> -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// An order that is there stays.
// CHECK-LABEL: @kept
func.func @kept(%x: tensor<2x768xf32>) -> tensor<2xf32> {
  // CHECK: order sequential
  %0 = repro.reduce sum %x domain <[2, 768], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order sequential : tensor<2x768xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: @contract
func.func @contract(%a: tensor<1x768xf32>, %b: tensor<768x1xf32>, %c: tensor<1x4096xf32>, %d: tensor<4096x1xf32>,
                    %e: tensor<1x50257xf32>, %f: tensor<50257x1xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>) {
  // CHECK: order sequential
  %0 = repro.contract %a, %b domain <[1, 1, 768], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      : tensor<1x768xf32>, tensor<768x1xf32> -> tensor<1x1xf32>
  // CHECK: order blocked<1024, sequential, sequential>
  %1 = repro.contract %c, %d domain <[1, 1, 4096], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      : tensor<1x4096xf32>, tensor<4096x1xf32> -> tensor<1x1xf32>
  // CHECK: order blocked<1024, sequential, sequential>
  %2 = repro.contract %e, %f domain <[1, 1, 50257], reduce [2]> maps [#lhs, #rhs, #out] bounds [in, in]
      : tensor<1x50257xf32>, tensor<50257x1xf32> -> tensor<1x1xf32>
  return %0, %1, %2 : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}

// Convolutions: a block ends where an inner iterator ends.
// CHECK-LABEL: @convolution
func.func @convolution(%x: tensor<1x512x3x3xf32>, %w: tensor<1x512x3x3xf32>, %g: tensor<256x1x56x56xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
  // CHECK: order blocked<1152, sequential, sequential>
  %0 = repro.contract %x, %w domain <[1, 1, 512, 3, 3], reduce [2, 3, 4]>
      maps [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>,
            affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>] bounds [in, in]
      : tensor<1x512x3x3xf32>, tensor<1x512x3x3xf32> -> tensor<1x1xf32>
  // CHECK: order blocked<18816, sequential, sequential>
  %1 = repro.contract %g, %g domain <[1, 1, 256, 56, 56], reduce [2, 3, 4]>
      maps [affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d1, d3, d4)>,
            affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>] bounds [in, in]
      : tensor<256x1x56x56xf32>, tensor<256x1x56x56xf32> -> tensor<1x1xf32>
  return %0, %1 : tensor<1x1xf32>, tensor<1x1xf32>
}
