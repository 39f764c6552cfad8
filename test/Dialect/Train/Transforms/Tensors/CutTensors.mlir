// The segments of a stage, divided over its ranks.
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-cut-stages{stages=1},train-cut-tensors{ranks=2 exchange-bytes=0})' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-cut-stages{stages=1},train-cut-tensors{ranks=2 exchange-bytes=0})' --remarks-filter=tensors -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-cut-stages{stages=1},train-cut-tensors{ranks=1})' | FileCheck %s --check-prefix=ONE
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-cut-stages{stages=1},train-cut-tensors{ranks=9 exchange-bytes=0})' | FileCheck %s --check-prefix=MANY
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-cut-stages{stages=1},train-cut-tensors{ranks=2 exchange-bytes=1000000})' | FileCheck %s --check-prefix=DEAR
// RUN: gensyn-wrong-opt %s --check-bits=all --pass-pipeline='builtin.module(test-join-tensors{ranks=2})' -o %t.mlir 2>&1 | count 0
// RUN: gensyn-wrong-opt %s --check-bits=all --pass-pipeline='builtin.module(test-join-tensors{ranks=3})' -o %t.mlir 2>&1 | count 0
// RUN: gensyn-wrong-opt %s --check-bits=all --pass-pipeline='builtin.module(test-join-tensors{ranks=4})' -o %t.mlir 2>&1 | count 0

// Each rank computes its columns of the first product, and reads those of the
// weights. The second one reads all of them: both ranks send theirs, once. What
// is cheap both compute, and each adds to its own tiles of the sums.
// CHECK: module attributes {train.stages = [
// CHECK-SAME: {contributions = array<i64>, parameters = ["w1", "w2"], sums = array<i64: 0, 1, 2>, tiles = [array<i64: 0, 8, 0, 3>, array<i64: 0, 6, 0, 5>]}
// CHECK-SAME: {contributions = array<i64>, parameters = ["w1", "w2"], sums = array<i64: 0, 1, 2>, tiles = [array<i64: 0, 8, 3, 3>, array<i64: 0, 6, 0, 5>]}
// CHECK-LABEL: func.func @segment_0(
// CHECK-SAME: %[[X:[^:]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[W:[^:]+]]: tensor<8x6xf32>
// CHECK-SAME: -> (tensor<4x3xf32> {gensyn.name = "gensyn.cut.0", gensyn.role = "output"})
// CHECK-SAME: train.segment = 0 : i64, train.stage = 0 : i64, train.tensor = 0 : i64
// CHECK: %[[COLUMNS:.+]] = repro.slice %[[W]] start [0, 0] limit [8, 3]
// CHECK: repro.contract %[[X]], %[[COLUMNS]] domain <[4, 3, 8]
// CHECK-NEXT: repro.exp
// CHECK-NEXT: return
// CHECK-LABEL: func.func @segment_1(
// CHECK-SAME: -> (tensor<4x3xf32> {gensyn.name = "gensyn.cut.1", gensyn.role = "output"})
// CHECK-SAME: train.segment = 0 : i64, train.stage = 0 : i64, train.tensor = 1 : i64
// CHECK: repro.slice %{{.+}} start [0, 3] limit [8, 6]

// CHECK-LABEL: func.func @segment_2(
// CHECK-SAME: %[[A:[^:]+]]: tensor<4x3xf32> {gensyn.name = "gensyn.cut.0", gensyn.role = "input"}
// CHECK-SAME: %[[B:[^:]+]]: tensor<4x3xf32> {gensyn.name = "gensyn.cut.1", gensyn.role = "input"}
// CHECK-SAME: %[[W2:[^:]+]]: tensor<6x5xf32>
// CHECK-SAME: %[[S0:[^:]+]]: tensor<2x5xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state", train.tile = array<i64: 0, 2, 0, 5>}
// CHECK-SAME: %[[S1:[^:]+]]: tensor<8x3xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state", train.tile = array<i64: 0, 8, 0, 3>}
// CHECK-SAME: -> (tensor<2x5xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state", train.tile = array<i64: 0, 2, 0, 5>}
// CHECK-SAME: train.donated = array<i64: 4, 5, 6>
// CHECK: %[[ALL:.+]] = repro.concat %[[A]], %[[B]] dim 1
// CHECK: %[[L:.+]] = repro.contract %[[ALL]], %[[W2]] domain <[4, 5, 6]
// CHECK: %[[DA:.+]] = repro.contract %[[L]], %{{.+}} domain <[4, 3, 5]
// CHECK: repro.mul %[[DA]], %[[A]]
// CHECK: %[[TILE:.+]] = repro.slice %[[L]] start [0, 0] limit [2, 5]
// CHECK: repro.add %[[S0]], %[[TILE]]
// CHECK-LABEL: func.func @segment_3(
// CHECK-SAME: train.tile = array<i64: 2, 2, 0, 5>
// CHECK-SAME: train.segment = 0 : i64, train.stage = 0 : i64, train.tensor = 1 : i64
// CHECK-NOT: @segment_4

// 4 x 3 floats come from the other rank.
// REMARK-DAG: CutTensors {{.*}} Ops=14, ParameterBytes=216, Percent=50.0, Phases=2, Rank=0, ReceivedBytes=48, ReceivedValues=1, Stage=0
// REMARK-DAG: CutTensors {{.*}} Ops=14, ParameterBytes=216, Percent=50.0, Phases=2, Rank=1, ReceivedBytes=48, ReceivedValues=1, Stage=0

// The second product is too short to wait for.
// REMARK-DAG: WholeOp {{.*}} MostIndices=5, Op=repro.contract, Operations=240, Stage=0

// ONE: func.func @segment_0(
// ONE-NOT: repro.slice
// ONE-NOT: train.tile
// ONE-NOT: @segment_1

// No dimension has nine indices. Sums belong to the ranks with the fewest bytes
// of them, and the others have nothing to do.
// MANY: sums = array<i64: 0>
// MANY-SAME: sums = array<i64: 1>
// MANY-SAME: sums = array<i64: 2>
// MANY-SAME: {contributions = array<i64>, parameters = [], sums = array<i64>, tiles = []}
// MANY: func.func @segment_2(
// MANY-NOT: @segment_3

// Nothing is worth to wait for: there is one function for each rank.
// DEAR: func.func @segment_1(
// DEAR-NOT: gensyn.cut
// DEAR-NOT: @segment_2
#x = affine_map<(i, j, k) -> (i, k)>
#w = affine_map<(i, j, k) -> (k, j)>
#y = affine_map<(i, j, k) -> (i, j)>
module {
  func.func @microbatch(
      %x: tensor<4x8xf32> {gensyn.name = "x", gensyn.role = "input"},
      %w1: tensor<8x6xf32> {gensyn.name = "w1", gensyn.role = "parameter"},
      %w2: tensor<6x5xf32> {gensyn.name = "w2", gensyn.role = "parameter"},
      %s0: tensor<4x5xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
      %s1: tensor<8x6xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"},
      %s2: tensor<6x5xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "state"})
      -> (tensor<4x5xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"},
          tensor<8x6xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "state"},
          tensor<6x5xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "state"})
      attributes {train.donated = array<i64: 3, 4, 5>} {
    %h = repro.contract %x, %w1 domain <[4, 6, 8], reduce [2]> maps [#x, #w, #y] bounds [in, in] order sequential : tensor<4x8xf32>, tensor<8x6xf32> -> tensor<4x6xf32>
    %a = repro.exp %h : tensor<4x6xf32>
    %l = repro.contract %a, %w2 domain <[4, 5, 6], reduce [2]> maps [#x, #w, #y] bounds [in, in] order sequential : tensor<4x6xf32>, tensor<6x5xf32> -> tensor<4x5xf32>
    %dw2 = repro.contract %a, %l domain <[6, 5, 4], reduce [2]> maps [affine_map<(i, j, k) -> (k, i)>, #w, #y] bounds [in, in] order sequential : tensor<4x6xf32>, tensor<4x5xf32> -> tensor<6x5xf32>
    %da = repro.contract %l, %w2 domain <[4, 6, 5], reduce [2]> maps [#x, affine_map<(i, j, k) -> (j, k)>, #y] bounds [in, in] order sequential : tensor<4x5xf32>, tensor<6x5xf32> -> tensor<4x6xf32>
    %dh = repro.mul %da, %a : tensor<4x6xf32>
    %dw1 = repro.contract %x, %dh domain <[8, 6, 4], reduce [2]> maps [affine_map<(i, j, k) -> (k, i)>, #w, #y] bounds [in, in] order sequential : tensor<4x8xf32>, tensor<4x6xf32> -> tensor<8x6xf32>
    %n0 = repro.add %s0, %l : tensor<4x5xf32>
    %n1 = repro.add %s1, %dw1 : tensor<8x6xf32>
    %n2 = repro.add %s2, %dw2 : tensor<6x5xf32>
    return %n0, %n1, %n2 : tensor<4x5xf32>, tensor<8x6xf32>, tensor<6x5xf32>
  }
  func.func @update(
      %s0: tensor<4x5xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "input"},
      %s1: tensor<8x6xf32> {gensyn.name = "gensyn.sum.1", gensyn.role = "input"},
      %s2: tensor<6x5xf32> {gensyn.name = "gensyn.sum.2", gensyn.role = "input"},
      %w1: tensor<8x6xf32> {gensyn.name = "w1", gensyn.role = "parameter"},
      %w2: tensor<6x5xf32> {gensyn.name = "w2", gensyn.role = "parameter"})
      -> (tensor<8x6xf32> {gensyn.name = "w1", gensyn.role = "parameter"},
          tensor<6x5xf32> {gensyn.name = "w2", gensyn.role = "parameter"},
          tensor<4x5xf32> {gensyn.name = "loss", gensyn.role = "loss"}) {
    %0 = repro.sub %w1, %s1 : tensor<8x6xf32>
    %1 = repro.sub %w2, %s2 : tensor<6x5xf32>
    return %0, %1, %s0 : tensor<8x6xf32>, tensor<6x5xf32>, tensor<4x5xf32>
  }
}
