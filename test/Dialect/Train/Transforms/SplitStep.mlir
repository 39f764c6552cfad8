// What ranks compute of a step: microbatches, what they pass on, the update.
// RUN: split-file %s %t
// RUN: gensyn-opt %t/step.mlir --train-lower-accumulate --canonicalize --cse --repro-assign-orders --repro-freeze | gensyn-opt --pass-pipeline='builtin.module(train-split-step{microbatches=4})' | FileCheck %t/step.mlir
// RUN: gensyn-opt %t/plain.mlir --train-lower-accumulate --canonicalize --cse --repro-freeze | gensyn-opt --pass-pipeline='builtin.module(train-split-step{microbatches=2})' | FileCheck %t/plain.mlir
// RUN: gensyn-opt %t/chained.mlir --train-lower-accumulate --canonicalize --cse --repro-freeze | not gensyn-opt --pass-pipeline='builtin.module(train-split-step{microbatches=2})' 2>&1 | FileCheck %t/chained.mlir

//--- step.mlir
// Sums are arguments, to which the microbatch adds.
// CHECK-LABEL: func.func @microbatch(
// CHECK-SAME: %[[X:[^:]+]]: tensor<2x3xf32> {gensyn.name = "x", gensyn.role = "input"}
// CHECK-SAME: %[[W:[^:]+]]: tensor<3xf32> {gensyn.name = "w", gensyn.role = "parameter"}
// CHECK-SAME: %[[SUM:[^:]+]]: tensor<3xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"}
// CHECK-SAME: -> (tensor<3xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "state"}, tensor<3xf32> {gensyn.name = "gensyn.contribution.0", gensyn.role = "output"})
// CHECK-SAME: train.donated = array<i64: 2, -1>
// CHECK: %[[R:.+]] = repro.reshape
// CHECK: %[[TERM:.+]] = repro.mul %[[R]], %[[W]]
// CHECK: %[[NEXT:.+]] = repro.add %[[SUM]], %[[TERM]]
// CHECK-NOT: repro.mul
// CHECK: return %[[NEXT]], %[[R]]

// CHECK-LABEL: func.func @carry(
// CHECK-SAME: %[[C:[^:]+]]: tensor<3xf32> {gensyn.name = "gensyn.contribution.0", gensyn.role = "input"}
// CHECK-SAME: %[[OLD:[^:]+]]: tensor<3xf32> {gensyn.name = "s", gensyn.role = "state"}
// CHECK-SAME: train.donated = array<i64: 1>
// CHECK: %[[HALF:.+]] = repro.mul %[[OLD]]
// CHECK: %[[S:.+]] = repro.add %[[HALF]], %[[C]]
// CHECK: return %[[S]]

// CHECK-LABEL: func.func @update(
// CHECK-SAME: %[[PASSED:[^:]+]]: tensor<3xf32> {gensyn.name = "gensyn.passed.0", gensyn.role = "input"}
// CHECK-SAME: %[[G:[^:]+]]: tensor<3xf32> {gensyn.name = "gensyn.sum.0", gensyn.role = "input"}
// CHECK-SAME: %[[OW:[^:]+]]: tensor<3xf32> {gensyn.name = "w", gensyn.role = "parameter"}
// CHECK-SAME: {gensyn.name = "s", gensyn.role = "state"}
// CHECK-SAME: train.donated = array<i64: 2, 3>
// CHECK: %[[NW:.+]] = repro.sub %[[OW]], %[[G]]
// CHECK: return %[[NW]], %[[PASSED]]

// CHECK-LABEL: func.func @add_f32(
// CHECK-SAME: %[[L:[^:]+]]: tensor<65536xf32>
// CHECK-SAME: %[[R:[^:]+]]: tensor<65536xf32>
// CHECK: repro.add %[[L]], %[[R]]
module attributes {gensyn.donated = array<i64: 1, 2>} {
  func.func @main(
      %x: tensor<8x3xf32> {gensyn.name = "x", gensyn.role = "input"},
      %w: tensor<3xf32> {gensyn.name = "w", gensyn.role = "parameter"},
      %s: tensor<3xf32> {gensyn.name = "s", gensyn.role = "state"})
      -> (tensor<3xf32> {gensyn.name = "w", gensyn.role = "parameter"},
          tensor<3xf32> {gensyn.name = "s", gensyn.role = "state"}) {
    %0:2 = train.accumulate 4 split(%x) carried(%s) shared(%w)
        : (tensor<8x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
    ^bb0(%i: tensor<i64>, %part: tensor<2x3xf32>, %state: tensor<3xf32>, %weight: tensor<3xf32>):
      %half = repro.constant dense<0.5> : tensor<3xf32>
      %row = repro.slice %part start [0, 0] limit [1, 3] stride [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
      %r = repro.reshape %row : tensor<1x3xf32> to tensor<3xf32>
      %kept = repro.mul %state, %half : tensor<3xf32>
      %next = repro.add %kept, %r : tensor<3xf32>
      %term = repro.mul %r, %weight : tensor<3xf32>
      train.yield %next, %term : tensor<3xf32>, tensor<3xf32>
    }
    %1 = repro.sub %w, %0#1 : tensor<3xf32>
    return %1, %0#0 : tensor<3xf32>, tensor<3xf32>
  }
}

//--- plain.mlir
// Nothing is passed on. The microbatch's number is an argument.
// CHECK: func.func @microbatch(
// CHECK-SAME: %[[I:[^:]+]]: tensor<i64> {gensyn.name = "gensyn.microbatch", gensyn.role = "input"}
// CHECK: repro.convert %[[I]]
// CHECK-NOT: @carry
// CHECK: func.func @update(
module attributes {gensyn.donated = array<i64: -1>} {
  func.func @main(%x: tensor<2x3xf64> {gensyn.name = "x", gensyn.role = "input"})
      -> (tensor<1x3xf64> {gensyn.name = "loss", gensyn.role = "loss"}) {
    %0 = train.accumulate 2 split(%x) : (tensor<2x3xf64>) -> tensor<1x3xf64> {
    ^bb0(%i: tensor<i64>, %part: tensor<1x3xf64>):
      %number = repro.convert %i : tensor<i64> to tensor<f64>
      %scale = repro.broadcast %number dims [] : tensor<f64> to tensor<1x3xf64>
      %term = repro.mul %scale, %part : tensor<1x3xf64>
      train.yield %term : tensor<1x3xf64>
    }
    return %0 : tensor<1x3xf64>
  }
}

//--- chained.mlir
// CHECK: error: microbatches cannot run at the same time: a gradient depends on a state that each passes on to the next
module attributes {gensyn.donated = array<i64: 1, -1>} {
  func.func @main(
      %x: tensor<2x3xf32> {gensyn.name = "x", gensyn.role = "input"},
      %s: tensor<1x3xf32> {gensyn.name = "s", gensyn.role = "state"})
      -> (tensor<1x3xf32> {gensyn.name = "s", gensyn.role = "state"},
          tensor<1x3xf32> {gensyn.name = "loss", gensyn.role = "loss"}) {
    %0:2 = train.accumulate 2 split(%x) carried(%s)
        : (tensor<2x3xf32>, tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>) {
    ^bb0(%i: tensor<i64>, %part: tensor<1x3xf32>, %state: tensor<1x3xf32>):
      %next = repro.add %state, %part : tensor<1x3xf32>
      %term = repro.mul %next, %part : tensor<1x3xf32>
      train.yield %next, %term : tensor<1x3xf32>, tensor<1x3xf32>
    }
    return %0#0, %0#1 : tensor<1x3xf32>, tensor<1x3xf32>
  }
}
