// Dimensions that a reshape divides are cut where its parts begin.
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-cut-stages{stages=1},train-cut-tensors{ranks=2 exchange-bytes=0})' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-cut-stages{stages=1},train-cut-tensors{ranks=4 exchange-bytes=0})' | FileCheck %s --check-prefix=FOUR
// RUN: gensyn-wrong-opt %s --check-bits=all --pass-pipeline='builtin.module(test-join-tensors{ranks=2})' -o %t.mlir 2>&1 | count 0
// RUN: gensyn-wrong-opt %s --check-bits=all --pass-pipeline='builtin.module(test-join-tensors{ranks=4})' -o %t.mlir 2>&1 | count 0

// Of three heads of 16 columns one rank has two: nothing travels.
// CHECK-NOT: gensyn.cut
// CHECK-LABEL: func.func @segment_0(
// CHECK-NOT: gensyn.cut
// CHECK: repro.slice %{{.+}} start [0, 0] limit [64, 32] stride [1, 1] : tensor<64x48xf32> to tensor<64x32xf32>
// CHECK: repro.reshape %{{.+}} : tensor<16x32xf32> to tensor<16x2x16xf32>
// CHECK: repro.contract {{.*}} -> tensor<2x16x16xf32>
// CHECK-LABEL: func.func @segment_1(
// CHECK-NOT: gensyn.cut
// CHECK: repro.slice %{{.+}} start [0, 32] limit [64, 48] stride [1, 1] : tensor<64x48xf32> to tensor<64x16xf32>
// CHECK: repro.contract {{.*}} -> tensor<1x16x16xf32>
// CHECK-NOT: @segment_2

// Four ranks have no head each, so they do not divide heads: columns are cut evenly.
// FOUR: repro.slice %{{.+}} start [0, 0] limit [64, 12]
// FOUR: repro.slice %{{.+}} start [0, 12] limit [64, 24]
// FOUR: repro.slice %{{.+}} start [0, 24] limit [64, 36]
// FOUR: repro.slice %{{.+}} start [0, 36] limit [64, 48]
module {
  func.func @microbatch(
      %x: tensor<16x64xf32> {gensyn.name = "x", gensyn.role = "input"},
      %w: tensor<64x48xf32> {gensyn.name = "w", gensyn.role = "parameter"},
      %s0: tensor<3x16x16xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
      %s1: tensor<64x48xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"})
      -> (tensor<3x16x16xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
          tensor<64x48xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"})
      attributes {train.donated = array<i64: 2, 3>} {
    %h = repro.contract %x, %w domain <[16, 48, 64], reduce [2]> maps [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] bounds [in, in] order sequential : tensor<16x64xf32>, tensor<64x48xf32> -> tensor<16x48xf32>
    %heads = repro.reshape %h : tensor<16x48xf32> to tensor<16x3x16xf32>
    %q = repro.exp %heads : tensor<16x3x16xf32>
    %p = repro.contract %q, %q domain <[3, 16, 16, 16], reduce [3]> maps [affine_map<(h, i, j, k) -> (i, h, k)>, affine_map<(h, i, j, k) -> (j, h, k)>, affine_map<(h, i, j, k) -> (h, i, j)>] bounds [in, in] order sequential : tensor<16x3x16xf32>, tensor<16x3x16xf32> -> tensor<3x16x16xf32>
    %dw = repro.contract %x, %h domain <[64, 48, 16], reduce [2]> maps [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] bounds [in, in] order sequential : tensor<16x64xf32>, tensor<16x48xf32> -> tensor<64x48xf32>
    %n0 = repro.add %s0, %p : tensor<3x16x16xf32>
    %n1 = repro.add %s1, %dw : tensor<64x48xf32>
    return %n0, %n1 : tensor<3x16x16xf32>, tensor<64x48xf32>
  }
  func.func @update(
      %s0: tensor<3x16x16xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "input"},
      %s1: tensor<64x48xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "input"},
      %w: tensor<64x48xf32> {gensyn.name = "w", gensyn.role = "parameter"})
      -> (tensor<64x48xf32> {gensyn.name = "w", gensyn.role = "parameter"},
          tensor<3x16x16xf32> {gensyn.name = "loss", gensyn.role = "loss"}) {
    %0 = repro.sub %w, %s1 : tensor<64x48xf32>
    return %0, %s0 : tensor<64x48xf32>, tensor<3x16x16xf32>
  }
}
