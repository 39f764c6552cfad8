// RUN: gensyn-opt %s --split-input-file --verify-diagnostics --gensyn-map-kernels-to-gpu | FileCheck %s
// RUN: not gensyn-opt %S/MapKernels.mlir --pass-pipeline='builtin.module(gensyn-map-kernels-to-gpu{block-size=0})' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gensyn-opt %S/MapKernels.mlir --pass-pipeline='builtin.module(gensyn-map-kernels-to-gpu{block-size=1025})' 2>&1 | FileCheck %s --check-prefix=MANY
// NONE: error: a block of 0 threads, expected 1 to 1024
// MANY: error: a block of 1025 threads, expected 1 to 1024

// A declaration stays what it is.
// CHECK: func.func private @elsewhere(i32)
// CHECK: gpu.module @kernels
func.func private @elsewhere(i32)

// -----

// expected-error @+1 {{is not a kernel: expected one block and no results}}
func.func @results(%a: i32) -> i32 {
  return %a : i32
}

// -----

// expected-error @+1 {{is not a kernel: expected one block and no results}}
func.func @blocks() {
  cf.br ^next
^next:
  return
}

// -----

// expected-error @+1 {{has a parallel loop with results, or whose bounds are not constant from 0 by 1}}
func.func @reduces() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%zero) -> f32 {
    scf.reduce(%zero : f32) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      scf.reduce.return %z : f32
    }
  }
  return
}

// -----

// expected-error @+1 {{has a parallel loop with results, or whose bounds are not constant from 0 by 1}}
func.func @backwards() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant -4 : index
  scf.parallel (%i) = (%c0) to (%end) step (%c1) {
  }
  return
}

// -----

// expected-error @+1 {{has parallel loops of more points than a grid has threads}}
func.func @huge() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 4611686018427387904 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%end, %end) step (%c1, %c1) {
  }
  return
}

// -----

// expected-error @+1 {{has parallel loops of more points than a grid has threads}}
func.func @together() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 274877906000 : index
  scf.parallel (%i) = (%c0) to (%end) step (%c1) {
  }
  scf.parallel (%i) = (%c0) to (%end) step (%c1) {
  }
  return
}

// -----

// Nothing to do is a grid of one block, in which no thread does it.
// CHECK-LABEL: gpu.func @nothing() kernel
// CHECK-SAME: known_grid_size = array<i32: 1, 1, 1>
func.func @nothing() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 4611686018427387904 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c0, %c1) step (%c1, %c1) {
  }
  return
}
