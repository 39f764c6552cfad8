// The stages of an update that two ranks divide: ranges of elements, tensors
// of one rank, blocks of a sum that ranks exchange.
// RUN: gensyn-opt %s --train-lower-accumulate --canonicalize --cse --repro-assign-orders --repro-freeze -o %t.mlir
// RUN: gensyn-opt %t.mlir --pass-pipeline='builtin.module(train-split-step{microbatches=2},train-shard-update{rank=1 ranks=2})' | FileCheck %s
// RUN: gensyn-opt %t.mlir --pass-pipeline='builtin.module(train-split-step{microbatches=2},train-shard-update{rank=0 ranks=2})' | FileCheck %s --check-prefix=OWNER
// RUN: gensyn-opt %t.mlir --pass-pipeline='builtin.module(train-split-step{microbatches=2},train-shard-update{rank=0 ranks=4})' | FileCheck %s --check-prefix=UNEVEN
// RUN: not gensyn-opt %t.mlir --pass-pipeline='builtin.module(train-split-step{microbatches=2},train-shard-update{rank=3 ranks=3})' 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not gensyn-opt %t.mlir --pass-pipeline='builtin.module(train-shard-update)' 2>&1 | FileCheck %s --check-prefix=NONE

// Pairs of first element and number of elements, for each rank. Ranges begin
// with a block of the norm's order; a small tensor is one rank's.
// CHECK: train.cuts = {b = array<i64: 0, 3, 0, 0>,
// CHECK-SAME: gensyn.partial.0 = array<i64: 0, 2, 2, 3>
// CHECK-SAME: gensyn.sum.0 = array<i64: 0, 2048, 2048, 2052>
// CHECK-SAME: m = array<i64: 0, 2048, 2048, 2052>

// Of five blocks the last rank has the short one, too.
// UNEVEN: b = array<i64: 0, 3, 0, 0, 0, 0, 0, 0>
// UNEVEN-SAME: m = array<i64: 0, 1024, 1024, 1024, 2048, 1024, 3072, 1028>

// This rank has the last elements: two whole blocks, and one of four elements.
// CHECK-LABEL: func.func @update_0(
// CHECK-SAME: %[[G:[^:]+]]: tensor<2052xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "input"})
// CHECK-SAME: -> (tensor<3xf32> {gensyn.name = "gensyn.partial.0", gensyn.role = "output"})
// CHECK: %[[SQUARE:.+]] = repro.mul %[[G]], %[[G]]
// CHECK: %[[FULL:.+]] = repro.slice %[[SQUARE]] start [0] limit [2048]
// CHECK: %[[ROWS:.+]] = repro.reshape %[[FULL]] : tensor<2048xf32> to tensor<2x1024xf32>
// CHECK: %[[FIRST:.+]] = repro.reduce sum %[[ROWS]] {{.*}} order lanes<32> : tensor<2x1024xf32> -> tensor<2xf32>
// CHECK: %[[REST:.+]] = repro.slice %[[SQUARE]] start [2048] limit [2052]
// CHECK: %[[SUM:.+]] = repro.reduce sum %[[REST]] {{.*}} order lanes<32> : tensor<4xf32> -> tensor<f32>
// CHECK: %[[LAST:.+]] = repro.reshape %[[SUM]] : tensor<f32> to tensor<1xf32>
// CHECK: repro.concat %[[FIRST]], %[[LAST]]

// CHECK-LABEL: func.func @update_1(
// CHECK-SAME: %[[BLOCKS:[^:]+]]: tensor<5xf32> {gensyn.name = "gensyn.partial.0", gensyn.role = "input"}
// CHECK-SAME: %[[W:[^:]+]]: tensor<2052xf32> {gensyn.name = "w", gensyn.role = "parameter"}
// CHECK-SAME: -> (tensor<2052xf32> {gensyn.name = "w", gensyn.role = "parameter"}, tensor<2052xf32> {gensyn.name = "m", gensyn.role = "state"}, tensor<f32> {gensyn.name = "norm", gensyn.role = "metric"})
// CHECK-SAME: train.donated = array<i64: 2, 3, -1>
// CHECK: %[[NORM:.+]] = repro.reduce sum %[[BLOCKS]] {{.*}} order lanes<32> : tensor<5xf32> -> tensor<f32>
// CHECK: repro.broadcast %[[NORM]] dims [] : tensor<f32> to tensor<2052xf32>

// OWNER-LABEL: func.func @update_1(
// OWNER-SAME: tensor<3xf32> {gensyn.name = "b", gensyn.role = "parameter"}

// RANK: error: rank 3 is not one of 3
// NONE: error: no function '@update'; train-split-step makes it
module attributes {gensyn.donated = array<i64: 1, 2, 3, -1>} {
  func.func @main(
      %x: tensor<4x4100xf32> {gensyn.name = "x", gensyn.role = "input"},
      %w: tensor<4100xf32> {gensyn.name = "w", gensyn.role = "parameter"},
      %b: tensor<3xf32> {gensyn.name = "b", gensyn.role = "parameter"},
      %m: tensor<41x100xf32> {gensyn.name = "m", gensyn.role = "state"})
      -> (tensor<4100xf32> {gensyn.name = "w", gensyn.role = "parameter"},
          tensor<3xf32> {gensyn.name = "b", gensyn.role = "parameter"},
          tensor<41x100xf32> {gensyn.name = "m", gensyn.role = "state"},
          tensor<f32> {gensyn.name = "norm", gensyn.role = "metric"}) {
    %0:2 = train.accumulate 2 split(%x) shared(%w)
        : (tensor<4x4100xf32>, tensor<4100xf32>) -> (tensor<4100xf32>, tensor<3xf32>) {
    ^bb0(%i: tensor<i64>, %part: tensor<2x4100xf32>, %weight: tensor<4100xf32>):
      %row = repro.slice %part start [0, 0] limit [1, 4100] stride [1, 1] : tensor<2x4100xf32> to tensor<1x4100xf32>
      %r = repro.reshape %row : tensor<1x4100xf32> to tensor<4100xf32>
      %g = repro.mul %r, %weight : tensor<4100xf32>
      %h = repro.slice %g start [0] limit [3] stride [1] : tensor<4100xf32> to tensor<3xf32>
      train.yield %g, %h : tensor<4100xf32>, tensor<3xf32>
    }
    %g = repro.reshape %0#0 : tensor<4100xf32> to tensor<41x100xf32>
    %square = repro.mul %g, %g : tensor<41x100xf32>
    %n = repro.reduce sum %square domain <[41, 100], reduce [0, 1]> maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>] : tensor<41x100xf32> -> tensor<f32>
    %n0 = repro.broadcast %n dims [] : tensor<f32> to tensor<41x100xf32>
    %m0 = repro.add %m, %g : tensor<41x100xf32>
    %m1 = repro.mul %m0, %n0 : tensor<41x100xf32>
    %m2 = repro.reshape %m1 : tensor<41x100xf32> to tensor<4100xf32>
    %w1 = repro.sub %w, %m2 : tensor<4100xf32>
    %b1 = repro.sub %b, %0#1 : tensor<3xf32>
    return %w1, %b1, %m1, %n : tensor<4100xf32>, tensor<3xf32>, tensor<41x100xf32>, tensor<f32>
  }
}
