// The microbatches of a frozen step are found again, whatever their number.
// RUN: gensyn-opt %s --train-lower-accumulate --canonicalize --cse --repro-assign-orders --repro-freeze -o %t.frozen
// RUN: gensyn-opt %t.frozen --pass-pipeline='builtin.module(train-raise-accumulate{microbatches=6})' | FileCheck %s
// RUN: not gensyn-opt %t.frozen --pass-pipeline='builtin.module(train-raise-accumulate{microbatches=4})' 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: not gensyn-opt %t.frozen --pass-pipeline='builtin.module(train-raise-accumulate{microbatches=7})' 2>&1 | FileCheck %s --check-prefix=SEVEN
// RUN: not gensyn-opt %t.frozen --pass-pipeline='builtin.module(train-raise-accumulate{microbatches=1})' 2>&1 | FileCheck %s --check-prefix=ONE
// The last two microbatches compute something else: a program that no accumulation is.
// RUN: sed '/repro.neg/,$!{/repro.mul %[0-9]*, %[0-9]* : tensor<3xf32>/{x;s/^/i/;/^ii$/{x;s/repro.mul/repro.sub/;x};x}}' %t.frozen | gensyn-opt --repro-freeze -o %t.other
// RUN: not gensyn-opt %t.other --pass-pipeline='builtin.module(train-raise-accumulate{microbatches=6})' 2>&1 | FileCheck %s --check-prefix=OTHER
// A frozen step may have constants that are not folded.
// RUN: sed 's/\(%[0-9]*\) = repro.neg \(%[0-9]*\) : \(.*\)/%a = repro.constant dense<2.0> : \3 %b = repro.mul %a, %a : \3 \1 = repro.mul \2, %b : \3/' %t.frozen | gensyn-opt --repro-freeze -o %t.unfolded
// RUN: gensyn-opt %t.unfolded --pass-pipeline='builtin.module(train-raise-accumulate{microbatches=6})' | FileCheck %s --check-prefix=UNFOLDED

// UNFOLDED: train.accumulate 6
// UNFOLDED: %[[TWO:.+]] = repro.constant dense<2.0
// UNFOLDED: repro.mul %[[TWO]], %[[TWO]]

// OTHER: error: its microbatches cannot be told apart: put together again they are another program
// FOUR: error: its microbatches cannot be told apart: there are not 4
// SEVEN: error: its microbatches cannot be told apart
// ONE: error: there is no step over microbatches

// Four and two: the loops over four give the body.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]+]]: tensor<12x3xf32>
// CHECK-SAME: %[[W:[^:]+]]: tensor<3xf32>
// CHECK-SAME: %[[S:[^:]+]]: tensor<3xf32>
// CHECK-NOT: repro.loop
// CHECK: %[[ALL:.+]]:2 = train.accumulate 6 split(%[[X]]) carried(%[[S]]) shared(%[[W]])
// CHECK: ^bb0(%[[I:[^:]+]]: tensor<i64>, %[[P:[^:]+]]: tensor<2x3xf32>, %[[OLD:[^:]+]]: tensor<3xf32>, %[[V:[^:]+]]: tensor<3xf32>):
// CHECK: %[[NEXT:.+]] = repro.add %[[OLD]], %{{.+}}
// CHECK: %[[K:.+]] = repro.convert %[[I]]
// CHECK: %[[SCALED:.+]] = repro.mul
// CHECK: %[[TERM:.+]] = repro.mul %[[SCALED]]
// CHECK: train.yield %[[NEXT]], %[[TERM]]
// CHECK: %[[G:.+]] = repro.neg %[[ALL]]#1
// CHECK: return %[[G]], %[[ALL]]#0
module attributes {gensyn.donated = array<i64: 1, 2>} {
  func.func @main(
      %x: tensor<12x3xf32> {gensyn.name = "x", gensyn.role = "input"},
      %w: tensor<3xf32> {gensyn.name = "w", gensyn.role = "parameter"},
      %s: tensor<3xf32> {gensyn.name = "s", gensyn.role = "state"})
      -> (tensor<3xf32> {gensyn.name = "w", gensyn.role = "parameter"},
          tensor<3xf32> {gensyn.name = "s", gensyn.role = "state"}) {
    %0:2 = train.accumulate 6 split(%x) carried(%s) shared(%w)
        : (tensor<12x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
    ^bb0(%i: tensor<i64>, %part: tensor<2x3xf32>, %state: tensor<3xf32>, %weight: tensor<3xf32>):
      %row = repro.slice %part start [0, 0] limit [1, 3] stride [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
      %r = repro.reshape %row : tensor<1x3xf32> to tensor<3xf32>
      %next = repro.add %state, %r : tensor<3xf32>
      %number = repro.convert %i : tensor<i64> to tensor<f32>
      %scale = repro.broadcast %number dims [] : tensor<f32> to tensor<3xf32>
      %scaled = repro.mul %scale, %weight : tensor<3xf32>
      %term = repro.mul %scaled, %r : tensor<3xf32>
      train.yield %next, %term : tensor<3xf32>, tensor<3xf32>
    }
    %1 = repro.neg %0#1 : tensor<3xf32>
    return %1, %0#0 : tensor<3xf32>, tensor<3xf32>
  }
}
