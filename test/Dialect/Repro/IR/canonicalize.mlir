// RUN: gensyn-opt %s --canonicalize | FileCheck %s

// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>

// A transposed operand becomes another map: the points and their order stay.
// CHECK-LABEL: @contract_of_transpose
// CHECK-SAME: (%[[A:.*]]: tensor<4x5xf32>, %[[B:.*]]: tensor<6x5xf32>)
func.func @contract_of_transpose(%a: tensor<4x5xf32>, %b: tensor<6x5xf32>) -> tensor<4x6xf32> {
  %t = repro.transpose %b [1, 0] : tensor<6x5xf32> to tensor<5x6xf32>
  // CHECK-NEXT: %[[C:.*]] = repro.contract %[[A]], %[[B]]
  // CHECK-SAME: maps [#[[$MK]], #[[$NK]],
  // CHECK-NEXT: return %[[C]]
  %c = repro.contract %a, %t domain <[4, 6, 5], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
            affine_map<(d0, d1, d2) -> (d0, d1)>]
      bounds [in, in] order sequential : tensor<4x5xf32>, tensor<5x6xf32> -> tensor<4x6xf32>
  return %c : tensor<4x6xf32>
}

// CHECK-LABEL: @movement_chains
// CHECK-SAME: (%[[X:.*]]: tensor<2x6xf32>)
func.func @movement_chains(%x: tensor<2x6xf32>) -> (tensor<2x6xf32>, tensor<3x4x5xf32>) {
  %0 = repro.reshape %x : tensor<2x6xf32> to tensor<12xf32>
  %1 = repro.reshape %0 : tensor<12xf32> to tensor<2x6xf32>
  // CHECK: %[[R:.*]] = repro.reshape %[[X]] : tensor<2x6xf32> to tensor<3x4xf32>
  %2 = repro.reshape %0 : tensor<12xf32> to tensor<3x4xf32>
  %3 = repro.broadcast %2 dims [0, 1] : tensor<3x4xf32> to tensor<3x4xf32>
  // CHECK: %[[B:.*]] = repro.broadcast %[[R]] dims [0, 1]
  %4 = repro.broadcast %3 dims [0, 1] : tensor<3x4xf32> to tensor<3x4x5xf32>
  // CHECK: return %[[X]], %[[B]]
  return %1, %4 : tensor<2x6xf32>, tensor<3x4x5xf32>
}

// An op that moves no element folds; a convert of floats to their own type does
// not, since it makes NaNs canonical (g4).
// CHECK-LABEL: @nothing_moves
// CHECK-SAME: (%[[X:.*]]: tensor<2x6xf32>, %[[I:.*]]: tensor<4xi32>)
func.func @nothing_moves(%x: tensor<2x6xf32>, %i: tensor<4xi32>)
    -> (tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<4xi32>, tensor<2x6xf32>) {
  %0 = repro.transpose %x [0, 1] : tensor<2x6xf32> to tensor<2x6xf32>
  %1 = repro.slice %x start [0, 0] limit [2, 6] stride [1, 1] : tensor<2x6xf32> to tensor<2x6xf32>
  %2 = repro.concat %x dim 1 : (tensor<2x6xf32>) -> tensor<2x6xf32>
  %3 = repro.bitcast %x : tensor<2x6xf32> to tensor<2x6xf32>
  %4 = repro.convert %i : tensor<4xi32> to tensor<4xi32>
  // CHECK: %[[C:.*]] = repro.convert %[[X]]
  %5 = repro.convert %x : tensor<2x6xf32> to tensor<2x6xf32>
  // CHECK: return %[[X]], %[[X]], %[[X]], %[[X]], %[[I]], %[[C]]
  return %0, %1, %2, %3, %4, %5
    : tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<4xi32>, tensor<2x6xf32>
}

// CHECK-LABEL: @something_moves
// CHECK: repro.transpose
// CHECK: repro.slice
// CHECK: repro.concat
// CHECK: repro.bitcast
func.func @something_moves(%x: tensor<6x6xf32>)
    -> (tensor<6x6xf32>, tensor<6x5xf32>, tensor<6x12xf32>, tensor<6x6xi32>) {
  %0 = repro.transpose %x [1, 0] : tensor<6x6xf32> to tensor<6x6xf32>
  %1 = repro.slice %x start [0, 1] limit [6, 6] stride [1, 1] : tensor<6x6xf32> to tensor<6x5xf32>
  %2 = repro.concat %x, %x dim 1 : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x12xf32>
  %3 = repro.bitcast %x : tensor<6x6xf32> to tensor<6x6xi32>
  return %0, %1, %2, %3 : tensor<6x6xf32>, tensor<6x5xf32>, tensor<6x12xf32>, tensor<6x6xi32>
}

// Constants fold by the reference meaning: a NaN becomes the canonical one, the
// rounding is one rounding.
// CHECK-LABEL: @constants
func.func @constants() -> (tensor<2xf32>, tensor<2xi32>) {
  %a = repro.constant dense<[0xFFC00001, 16777216.0]> : tensor<2xf32>
  %b = repro.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %s = repro.add %a, %b : tensor<2xf32>
  %c = repro.convert %a : tensor<2xf32> to tensor<2xi32>
  // CHECK-DAG: repro.constant dense<[0x7FC00000, 0x4B800000]> : tensor<2xf32>
  // CHECK-DAG: repro.constant dense<[0, 16777216]> : tensor<2xi32>
  return %s, %c : tensor<2xf32>, tensor<2xi32>
}

// An out-of-bounds read gives zero; if it is a fault, the op does not fold (g7).
// CHECK-LABEL: @outside
func.func @outside() -> (tensor<1xf32>, tensor<1xf32>) {
  // CHECK: %[[ZERO:.+]] = repro.constant dense<0.000000e+00> : tensor<1xf32>
  // CHECK: %[[FAULT:.+]] = repro.gather {{.*}} bounds fault
  // CHECK: return %[[FAULT]], %[[ZERO]]
  %t = repro.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %i = repro.constant dense<5> : tensor<1xi64>
  %0 = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>] bounds fault
      : tensor<2xf32>, tensor<1xi64> -> tensor<1xf32>
  %1 = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>] bounds zero
      : tensor<2xf32>, tensor<1xi64> -> tensor<1xf32>
  return %0, %1 : tensor<1xf32>, tensor<1xf32>
}
