// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(task-split{machine=%S/Inputs/four-cores.json}))' | FileCheck %s
// RUN: not gensyn-opt %s --pass-pipeline='builtin.module(func.func(task-split))' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gensyn-opt %s --pass-pipeline='builtin.module(func.func(task-split{machine=spinnaker}))' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// NONE: error: no machine was given: the option 'machine' is the name of one or a file
// UNKNOWN: error: {{.*}}spinnaker{{.*}}

// A part for each of the four cores. Of grids that take as long, the first kernel has that
// whose parts have the fewest rows of adjacent bytes, one. A part of the contraction has all
// rows, so that each column of the weights is copied once.
// CHECK-LABEL: func.func @main
// CHECK: repro.kernel "k0_exp" {{.*}}task.parts = array<i64: 2, 64>
// CHECK: repro.kernel "k1_contract" {{.*}}task.parts = array<i64: 8, 8>
func.func @main(%x: tensor<8x64xf32>, %w: tensor<64x32xf32>) -> tensor<8x32xf32> {
  %y = repro.kernel "k0_exp" (%a = %x : tensor<8x64xf32>) -> (tensor<8x64xf32>) {
    %e = repro.exp %a : tensor<8x64xf32>
    repro.yield %e : tensor<8x64xf32>
  }
  %z = repro.kernel "k1_contract" (%a = %y : tensor<8x64xf32>, %b = %w : tensor<64x32xf32>) -> (tensor<8x32xf32>) {
    %c = repro.contract %a, %b domain <[8, 32, 64], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<8x64xf32>, tensor<64x32xf32> -> tensor<8x32xf32>
    repro.yield %c : tensor<8x32xf32>
  }
  return %z : tensor<8x32xf32>
}

// The order of a sum says that it may not be cut, whatever that costs.
// CHECK-LABEL: func.func @one_row
// CHECK: repro.kernel "k0_reduce" {{.*}}task.parts = array<i64: 1>
func.func @one_row(%x: tensor<1x4096xf32>) -> tensor<1xf32> {
  %y = repro.kernel "k0_reduce" (%a = %x : tensor<1x4096xf32>) -> (tensor<1xf32>) {
    %s = repro.reduce sum %a domain <[1, 4096], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] order lanes<32> : tensor<1x4096xf32> -> tensor<1xf32>
    repro.yield %s : tensor<1xf32>
  }
  return %y : tensor<1xf32>
}

// Kernels that do not read each other, and are so small that two cores each take less time
// than four cores one after the other.
// CHECK-LABEL: func.func @beside
// CHECK: repro.kernel "k0_exp" {{.*}}task.parts = array<i64: {{[0-9]+}}>, task.share = 2
// CHECK: repro.kernel "k1_neg" {{.*}}task.share = 2
// CHECK: repro.kernel "k2_add"
// CHECK-NOT: task.share
func.func @beside(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %a = repro.kernel "k0_exp" (%v = %x : tensor<16xf32>) -> (tensor<16xf32>) {
    %e = repro.exp %v : tensor<16xf32>
    repro.yield %e : tensor<16xf32>
  }
  %b = repro.kernel "k1_neg" (%v = %y : tensor<16xf32>) -> (tensor<16xf32>) {
    %e = repro.neg %v : tensor<16xf32>
    repro.yield %e : tensor<16xf32>
  }
  %c = repro.kernel "k2_add" (%v = %a : tensor<16xf32>, %w = %b : tensor<16xf32>) -> (tensor<16xf32>) {
    %e = repro.add %v, %w : tensor<16xf32>
    repro.yield %e : tensor<16xf32>
  }
  return %c : tensor<16xf32>
}
