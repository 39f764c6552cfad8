// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-expand-single-points))' --check-bits=all | FileCheck %s

// The weight gradient of a fully connected layer at batch 1.
// CHECK-LABEL: func.func @outer
// CHECK-SAME: %[[A:.+]]: tensor<1x3xf32>, %[[B:.+]]: tensor<1x5xf32>
// CHECK-DAG: %[[X:.+]] = repro.reshape %[[A]] : tensor<1x3xf32> to tensor<3xf32>
// CHECK-DAG: %[[U:.+]] = repro.broadcast %[[X]] dims [0] : tensor<3xf32> to tensor<3x5xf32>
// CHECK-DAG: %[[Y:.+]] = repro.reshape %[[B]] : tensor<1x5xf32> to tensor<5xf32>
// CHECK-DAG: %[[V:.+]] = repro.broadcast %[[Y]] dims [1] : tensor<5xf32> to tensor<3x5xf32>
// CHECK: %[[P:.+]] = repro.mul %[[U]], %[[V]]
// CHECK: %[[S:.+]] = repro.add %[[P]], %{{.+}}
// CHECK: return %[[S]]
func.func @outer(%a: tensor<1x3xf32>, %b: tensor<1x5xf32>) -> tensor<3x5xf32> {
  %y = repro.contract %a, %b domain <[3, 5, 1], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] order sequential : tensor<1x3xf32>, tensor<1x5xf32> -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}

// A batch, and no reduced iterator.
// CHECK-LABEL: func.func @batch
// CHECK-NOT: repro.contract
// CHECK: repro.mul
func.func @batch(%a: tensor<4x3xf64>, %b: tensor<4xf64>) -> tensor<4x3xf64> {
  %y = repro.contract %a, %b domain <[4, 3], reduce []>
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>]
    bounds [in, in] order sequential : tensor<4x3xf64>, tensor<4xf64> -> tensor<4x3xf64>
  return %y : tensor<4x3xf64>
}

// Narrow operands are widened before they are repeated; integers need no +0.
// CHECK-LABEL: func.func @narrow
// CHECK-SAME: %[[A:.+]]: tensor<3xbf16>, %[[B:.+]]: tensor<5xf32>, %[[C:.+]]: tensor<3xi8>
// CHECK-NOT: repro.contract
// CHECK: %[[W:.+]] = repro.convert %[[A]] : tensor<3xbf16> to tensor<3xf32>
// CHECK: repro.broadcast %[[W]] dims [0]
// CHECK: repro.add
// CHECK: repro.convert %[[C]] : tensor<3xi8> to tensor<3xi32>
// CHECK: %[[P:.+]] = repro.mul
// CHECK: return %{{.+}}, %[[P]]
func.func @narrow(%a: tensor<3xbf16>, %b: tensor<5xf32>, %c: tensor<3xi8>, %d: tensor<5xi8>)
    -> (tensor<3x5xf32>, tensor<3x5xi32>) {
  %0 = repro.contract %a, %b domain <[3, 5], reduce []>
    maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]
    bounds [in, in] order sequential : tensor<3xbf16>, tensor<5xf32> -> tensor<3x5xf32>
  %1 = repro.contract %c, %d domain <[3, 5], reduce []>
    maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]
    bounds [in, in] : tensor<3xi8>, tensor<5xi8> -> tensor<3x5xi32>
  return %0, %1 : tensor<3x5xf32>, tensor<3x5xi32>
}

// Two points, another order of dimensions, an operand read outside of its bounds, a window.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4: repro.contract
func.func @kept(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>, %c: tensor<5x3xf32>, %d: tensor<3xf32>,
                %e: tensor<2xf32>, %f: tensor<5xf32>, %g: tensor<7xf32>)
    -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
  %0 = repro.contract %a, %b domain <[3, 5, 2], reduce [2]>
    maps [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
          affine_map<(d0, d1, d2) -> (d0, d1)>]
    bounds [in, in] order sequential : tensor<2x3xf32>, tensor<2x5xf32> -> tensor<3x5xf32>
  %1 = repro.contract %c, %d domain <[3, 5], reduce []>
    maps [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>]
    bounds [in, in] order sequential : tensor<5x3xf32>, tensor<3xf32> -> tensor<3x5xf32>
  %2 = repro.contract %e, %f domain <[3, 5], reduce []>
    maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]
    bounds [zero, in] order sequential : tensor<2xf32>, tensor<5xf32> -> tensor<3x5xf32>
  %3 = repro.contract %d, %g domain <[3, 5], reduce []>
    maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1 + 1)>, affine_map<(d0, d1) -> (d0, d1)>]
    bounds [in, in] order sequential : tensor<3xf32>, tensor<7xf32> -> tensor<3x5xf32>
  return %0, %1, %2, %3 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
}
