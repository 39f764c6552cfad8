// RUN: gensyn-opt %s --pass-pipeline='builtin.module(gensyn-emit-cpu-kernels{baseline=true})' --split-input-file | FileCheck %s
// RUN: not gensyn-opt %s --pass-pipeline='builtin.module(gensyn-emit-cpu-kernels{target=z80})' --split-input-file 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: error: unknown target 'z80'

// The first dimensions, until there are 256 tiles, are the tile's number; the
// last one is a vector. The result may be written over the operand.
// CHECK-LABEL: func.func @k0(
// CHECK-SAME: %[[A:.+]]: memref<20x30x8xi32> {gensyn.in_place}, %[[Y:.+]]: memref<20x30x8xi32> {gensyn.in_place}, %{{.+}}: memref<0xi8>, %[[BEGIN:.+]]: index, %[[END:.+]]: index)
// CHECK: scf.for %[[T:.+]] = %[[BEGIN]] to %[[END]] step
// CHECK-DAG: %[[J:.+]] = arith.remui %[[T]], %{{.+}}
// CHECK-DAG: %[[I:.+]] = arith.divui %[[T]], %{{.+}}
// CHECK: memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: %[[ROW:.+]] = arith.muli %[[J]], %{{.+}}
// CHECK: arith.muli %[[I]], %{{.+}}
// CHECK: llvm.load %{{.+}} -> vector<8xi32>
// CHECK: memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK: llvm.store %{{.+}} : vector<8xi32>
// CHECK-NOT: linalg
func.func @main(%a: tensor<20x30x8xi32>) -> tensor<20x30x8xi32> {
  %y = repro.kernel "k0" (%x = %a : tensor<20x30x8xi32>) -> (tensor<20x30x8xi32>) {
    %n = repro.not %x : tensor<20x30x8xi32>
    repro.yield %n : tensor<20x30x8xi32>
  }
  return %y : tensor<20x30x8xi32>
}
