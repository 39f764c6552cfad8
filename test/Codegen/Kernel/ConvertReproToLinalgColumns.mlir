// RUN: gensyn-opt %s --convert-repro-to-linalg --split-input-file | FileCheck %s

// Columns run in parallel; there is no element of a scan to ask for.
// CHECK-LABEL: func.func @scan(
// CHECK-SAME: %[[X:.+]]: memref<4x9x5xf32>, %[[Y:.+]]: memref<4x9x5xf32>)
// CHECK: scf.parallel (%[[I:.+]], %[[K:.+]]) = (%{{.+}}, %{{.+}}) to (%c4{{.*}}, %c5{{.*}})
// CHECK: scf.for %[[J:.+]] = {{.*}} iter_args(%[[S:.+]] = %{{.+}})
// CHECK: memref.load %[[X]][%[[I]], %[[J]], %[[K]]]
// CHECK: arith.addf %[[S]]
// CHECK: memref.store %{{.+}}, %[[Y]][%[[I]], %[[J]], %[[K]]]
// CHECK-NOT: linalg.generic
func.func @main(%a: tensor<4x9x5xf32>) -> tensor<4x9x5xf32> {
  %y = repro.kernel "scan" (%x = %a : tensor<4x9x5xf32>) -> (tensor<4x9x5xf32>) {
    %s = repro.scan sum %x dim 1 order sequential : tensor<4x9x5xf32>
    repro.yield %s : tensor<4x9x5xf32>
  }
  return %y : tensor<4x9x5xf32>
}

// -----

// A gather checks its index, reads where there is something, and keeps the
// smallest number of an element that is not there (g7).
// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[T:.+]]: memref<9x4xf32>, %[[I:.+]]: memref<6xi64>, %{{.+}}: memref<6x4xf32>, %[[F:.+]]: memref<1xi64>)
// CHECK: linalg.generic
// CHECK: %[[R:.+]] = memref.load %[[I]]
// CHECK: %[[AT:.+]] = arith.index_cast %[[R]]
// CHECK: %[[IN:.+]] = arith.cmpi ult, %[[AT]]
// CHECK: scf.if
// CHECK: memref.atomic_rmw minu %{{.+}}, %[[F]]
// CHECK: %[[SAFE:.+]] = arith.select %[[IN]], %[[AT]]
// CHECK: %[[V:.+]] = memref.load %[[T]][%[[SAFE]]
// CHECK: arith.select %[[IN]], %[[V]]
func.func @main(%a: tensor<9x4xf32>, %b: tensor<6xi64>) -> tensor<6x4xf32> {
  %y = repro.kernel "gather" (%t = %a : tensor<9x4xf32>, %i = %b : tensor<6xi64>) -> (tensor<6x4xf32>) {
    %g = repro.gather %t[%i] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
      bounds fault : tensor<9x4xf32>, tensor<6xi64> -> tensor<6x4xf32>
    repro.yield %g : tensor<6x4xf32>
  }
  return %y : tensor<6x4xf32>
}
