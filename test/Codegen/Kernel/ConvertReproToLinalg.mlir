// RUN: gensyn-opt %s --pass-pipeline='builtin.module(convert-repro-to-linalg)' --split-input-file --verify-diagnostics | FileCheck %s

// A diamond is computed once; the sum's NaN is made canonical where it leaves
// arithmetic, the selected operand's is kept.
// CHECK-LABEL: func.func @k0(
// CHECK-SAME: %[[A:.+]]: memref<3x4xf32>, %[[P:.+]]: memref<3x4xi8>, %[[Y:.+]]: memref<3x4xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} outs(%[[Y]] : memref<3x4xf32>)
// CHECK-DAG: %[[I:.+]] = linalg.index 0
// CHECK-DAG: %[[J:.+]] = linalg.index 1
// CHECK: %[[BYTE:.+]] = memref.load %[[P]][%[[I]], %[[J]]]
// CHECK: %[[TRUE:.+]] = arith.trunci %[[BYTE]] : i8 to i1
// CHECK: %[[X:.+]] = memref.load %[[A]][%[[I]], %[[J]]]
// CHECK-NOT: memref.load
// CHECK: %[[S:.+]] = arith.addf %[[X]], %[[X]] : f32
// CHECK: %[[NAN:.+]] = arith.constant 0x7FC00000 : f32
// CHECK: %[[U:.+]] = arith.cmpf uno, %[[S]], %[[S]]
// CHECK: %[[F:.+]] = arith.select %[[U]], %[[NAN]], %[[S]]
// CHECK: %[[R:.+]] = arith.select %[[TRUE]], %[[F]], %[[X]]
// CHECK: linalg.yield %[[R]]
// CHECK-NOT: func.func @main
func.func @main(%a: tensor<3x4xf32>, %p: tensor<3x4xi1>) -> tensor<3x4xf32> {
  %y = repro.kernel "k0" (%x = %a : tensor<3x4xf32>, %q = %p : tensor<3x4xi1>) -> (tensor<3x4xf32>) {
    %s = repro.add %x, %x : tensor<3x4xf32>
    %r = repro.select %q, %s, %x : tensor<3x4xf32>
    repro.yield %r : tensor<3x4xf32>
  }
  return %y : tensor<3x4xf32>
}

// -----

// The order is in the loops: 4 lanes in memory, then their halves.
// CHECK-LABEL: func.func @lanes(
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK: linalg.generic
// CHECK: scf.for
// CHECK: scf.for
// CHECK: math.fma
// CHECK: scf.for
// CHECK: arith.addf
func.func @main(%a: tensor<8x37xf32>, %b: tensor<37xf32>) -> tensor<8xf32> {
  %y = repro.kernel "lanes" (%x = %a : tensor<8x37xf32>, %w = %b : tensor<37xf32>) -> (tensor<8xf32>) {
    %r = repro.contract %x, %w domain <[8, 37], reduce [1]>
      maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds [in, in] order lanes<4> : tensor<8x37xf32>, tensor<37xf32> -> tensor<8xf32>
    repro.yield %r : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// Not all functions are described for f64.
func.func @main(%a: tensor<8xf64>) -> tensor<8xf64> {
  %y = repro.kernel "f64" (%x = %a : tensor<8xf64>) -> (tensor<8xf64>) {
    // expected-error @+1 {{is computed in f32 only, not in 'f64'}}
    %e = repro.sin %x : tensor<8xf64>
    %r = repro.exp %e : tensor<8xf64>
    repro.yield %r : tensor<8xf64>
  }
  return %y : tensor<8xf64>
}
