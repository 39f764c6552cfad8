// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-fold-transposes))' --check-bits=all | FileCheck %s

#row = affine_map<(d0, d1, d2) -> (d2, d0)>
#column = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-DAG: #[[$FIRST:.+]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$SECOND:.+]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[$RESULT:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$HEADS:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>

// The gradient of a weight.
// CHECK-LABEL: func.func @weight
// CHECK: %[[C:.+]] = repro.contract %arg0, %arg1 domain <[5, 3, 7], reduce [2]> maps [#[[$FIRST]], #[[$SECOND]], #[[$RESULT]]] bounds [in, in] order sequential : tensor<7x3xf32>, tensor<7x5xf32> -> tensor<5x3xf32>
// CHECK-NEXT: return %[[C]]
func.func @weight(%x: tensor<7x3xf32>, %y: tensor<7x5xf32>) -> tensor<5x3xf32> {
  %c = repro.contract %x, %y domain <[3, 5, 7], reduce [2]> maps [#row, #column, #result]
    bounds [in, in] order sequential : tensor<7x3xf32>, tensor<7x5xf32> -> tensor<3x5xf32>
  %t = repro.transpose %c [1, 0] : tensor<3x5xf32> to tensor<5x3xf32>
  return %t : tensor<5x3xf32>
}

// Heads of attention side by side: [batch, heads, queries, width].
// CHECK-LABEL: func.func @heads
// CHECK: repro.contract %arg0, %arg1 domain <[2, 5, 3, 4, 6], reduce [4]> maps [#[[$HEADS]], {{.*}}] {{.*}} -> tensor<2x5x3x4xf32>
// CHECK-NOT: repro.transpose
func.func @heads(%p: tensor<2x3x5x6xf32>, %v: tensor<2x3x6x4xf32>) -> tensor<2x5x3x4xf32> {
  %c = repro.contract %p, %v domain <[2, 3, 5, 4, 6], reduce [4]>
    maps [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>,
          affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>]
    bounds [in, in] order sequential : tensor<2x3x5x6xf32>, tensor<2x3x6x4xf32> -> tensor<2x3x5x4xf32>
  %t = repro.transpose %c [0, 2, 1, 3] : tensor<2x3x5x4xf32> to tensor<2x5x3x4xf32>
  return %t : tensor<2x5x3x4xf32>
}

// Three iterators in a circle: a permutation that is not its own inverse.
// CHECK-LABEL: func.func @circle
// CHECK: repro.contract %arg0, %arg1 domain <[4, 2, 3, 6], reduce [3]> {{.*}} -> tensor<4x2x3xf32>
// CHECK-NOT: repro.transpose
func.func @circle(%p: tensor<2x3x6xf32>, %v: tensor<2x6x4xf32>) -> tensor<4x2x3xf32> {
  %c = repro.contract %p, %v domain <[2, 3, 4, 6], reduce [3]>
    maps [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>,
          affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]
    bounds [in, in] order sequential : tensor<2x3x6xf32>, tensor<2x6x4xf32> -> tensor<2x3x4xf32>
  %t = repro.transpose %c [2, 0, 1] : tensor<2x3x4xf32> to tensor<4x2x3xf32>
  return %t : tensor<4x2x3xf32>
}

// Another reader of the contraction needs the original result.
// CHECK-LABEL: func.func @read_twice
// CHECK: repro.transpose
func.func @read_twice(%x: tensor<7x3xf32>, %y: tensor<7x5xf32>) -> (tensor<5x3xf32>, tensor<3x5xf32>) {
  %c = repro.contract %x, %y domain <[3, 5, 7], reduce [2]> maps [#row, #column, #result]
    bounds [in, in] order sequential : tensor<7x3xf32>, tensor<7x5xf32> -> tensor<3x5xf32>
  %t = repro.transpose %c [1, 0] : tensor<3x5xf32> to tensor<5x3xf32>
  return %t, %c : tensor<5x3xf32>, tensor<3x5xf32>
}

// A weight that is rounded for a product, and its gradient, which is rounded too:
// what is elementwise works in the layout of the weight.
// CHECK-LABEL: func.func @rounded
// CHECK-NEXT: %[[N:.+]] = repro.convert %arg1 : tensor<5x7xf32> to tensor<5x7xbf16>
// CHECK-NEXT: repro.contract %arg0, %[[N]] {{.*}} : tensor<3x7xbf16>, tensor<5x7xbf16> -> tensor<3x5xf32>
// CHECK-NEXT: %[[G:.+]] = repro.contract %arg0, %arg2 domain <[5, 7, 3], reduce [2]> {{.*}} -> tensor<5x7xf32>
// CHECK-NEXT: %[[R:.+]] = repro.convert %[[G]] : tensor<5x7xf32> to tensor<5x7xbf16>
// CHECK-NEXT: %[[F:.+]] = repro.convert %[[R]] : tensor<5x7xbf16> to tensor<5x7xf32>
// CHECK-NEXT: repro.sub %arg1, %[[F]]
func.func @rounded(%x: tensor<3x7xbf16>, %w: tensor<5x7xf32>, %d: tensor<3x5xbf16>) -> (tensor<3x5xf32>, tensor<5x7xf32>) {
  %t = repro.transpose %w [1, 0] : tensor<5x7xf32> to tensor<7x5xf32>
  %n = repro.convert %t : tensor<7x5xf32> to tensor<7x5xbf16>
  %y = repro.contract %x, %n domain <[3, 5, 7], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, #result]
    bounds [in, in] order sequential : tensor<3x7xbf16>, tensor<7x5xbf16> -> tensor<3x5xf32>
  %g = repro.contract %x, %d domain <[7, 5, 3], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, #result]
    bounds [in, in] order sequential : tensor<3x7xbf16>, tensor<3x5xbf16> -> tensor<7x5xf32>
  %r = repro.convert %g : tensor<7x5xf32> to tensor<7x5xbf16>
  %f = repro.convert %r : tensor<7x5xbf16> to tensor<7x5xf32>
  %u = repro.transpose %f [1, 0] : tensor<7x5xf32> to tensor<5x7xf32>
  %v = repro.sub %w, %u : tensor<5x7xf32>
  return %y, %v : tensor<3x5xf32>, tensor<5x7xf32>
}

// Another reader needs the transposed value, before or behind elementwise ops.
// CHECK-LABEL: func.func @needed
// CHECK: repro.transpose
// CHECK: repro.convert
// CHECK: repro.contract
// CHECK: repro.convert
// CHECK: repro.transpose
func.func @needed(%x: tensor<3x7xbf16>, %w: tensor<5x7xf32>) -> (tensor<3x5xf32>, tensor<7x5xbf16>, tensor<5x3xbf16>, tensor<3x5xbf16>) {
  %t = repro.transpose %w [1, 0] : tensor<5x7xf32> to tensor<7x5xf32>
  %n = repro.convert %t : tensor<7x5xf32> to tensor<7x5xbf16>
  %y = repro.contract %x, %n domain <[3, 5, 7], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, #result]
    bounds [in, in] order sequential : tensor<3x7xbf16>, tensor<7x5xbf16> -> tensor<3x5xf32>
  %r = repro.convert %y : tensor<3x5xf32> to tensor<3x5xbf16>
  %u = repro.transpose %r [1, 0] : tensor<3x5xbf16> to tensor<5x3xbf16>
  return %y, %n, %u, %r : tensor<3x5xf32>, tensor<7x5xbf16>, tensor<5x3xbf16>, tensor<3x5xbf16>
}
