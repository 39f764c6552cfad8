// RUN: gensyn-opt %s --onnx-infer-shapes --onnx-simplify --split-input-file | FileCheck %s

// A list that is built, changed and read at known places.
// CHECK-LABEL: @list
// CHECK-NOT: onnx.Sequence
// CHECK: %[[TWO:.+]] = onnx.constant dense<2> : tensor<i64>
// CHECK-NOT: onnx.Sequence
// CHECK: return %arg2, %arg0, %[[TWO]]
func.func @list(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<i64>) {
  %zero = onnx.constant dense<0> : tensor<i64>
  %last = onnx.constant dense<-1> : tensor<i64>
  %s = onnx.SequenceConstruct.v11(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<2xf32>>
  %t = onnx.SequenceInsert.v11(%s, %c, %zero) : (!onnx.seq<tensor<2xf32>>, tensor<2xf32>, tensor<i64>) -> !onnx.seq<tensor<2xf32>>
  %u = onnx.SequenceErase.v11(%t) : (!onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>>
  %0 = onnx.SequenceAt.v11(%u, %zero) : (!onnx.seq<tensor<2xf32>>, tensor<i64>) -> tensor<2xf32>
  %1 = onnx.SequenceAt.v11(%u, %last) : (!onnx.seq<tensor<2xf32>>, tensor<i64>) -> tensor<2xf32>
  %2 = onnx.SequenceLength.v11(%u) : (!onnx.seq<tensor<2xf32>>) -> tensor<i64>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<i64>
}

// -----

// A loop that goes through the parts of one tensor and appends to a list, which
// is stacked behind it: as torch.jit.script writes `for` and `append`.
// CHECK-LABEL: @append
// CHECK-NOT: onnx.Sequence
// CHECK-NOT: onnx.Loop
// CHECK: %[[P:.+]]:3 = onnx.Split.v13(%arg0
// CHECK: onnx.Squeeze.v13(%[[P]]#0
// CHECK-COUNT-3: onnx.Add.v14
// CHECK-COUNT-3: onnx.Unsqueeze.v13
// CHECK: onnx.Concat.v13({{.*}}, {{.*}}, {{.*}}) {axis = 1 : i64} : {{.*}} -> tensor<2x3xf32>
func.func @append(%x: tensor<3x2xf32>) -> tensor<2x3xf32> {
  %true = onnx.constant dense<true> : tensor<i1>
  %parts = onnx.SplitToSequence.v11(%x) {axis = 0 : i64, keepdims = 0 : i64} : (tensor<3x2xf32>) -> !onnx.seq<tensor<?xf32>>
  %count = onnx.SequenceLength.v11(%parts) : (!onnx.seq<tensor<?xf32>>) -> tensor<i64>
  %empty = onnx.SequenceEmpty.v11() : () -> !onnx.seq<tensor<*xf32>>
  %start = onnx.constant dense<0.0> : tensor<2xf32>
  %z:2 = onnx.Loop.v16(%count, %true, %empty, %start) body {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %list: !onnx.seq<tensor<*xf32>>, %sum: tensor<2xf32>):
    %part = onnx.SequenceAt.v11(%parts, %i) : (!onnx.seq<tensor<?xf32>>, tensor<i64>) -> tensor<?xf32>
    %next = onnx.Add.v14(%sum, %part) : (tensor<2xf32>, tensor<?xf32>) -> !onnx.unknown
    %longer = onnx.SequenceInsert.v11(%list, %next) : (!onnx.seq<tensor<*xf32>>, !onnx.unknown) -> !onnx.seq<tensor<*xf32>>
    onnx.yield %go, %longer, %next : tensor<i1>, !onnx.seq<tensor<*xf32>>, !onnx.unknown
  } : (tensor<i64>, tensor<i1>, !onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> (!onnx.seq<tensor<*xf32>>, !onnx.unknown)
  %y = onnx.ConcatFromSequence.v11(%z#0) {axis = 1 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<*xf32>>) -> !onnx.unknown
  %w = onnx.Identity.v14(%y) : (!onnx.unknown) -> tensor<2x3xf32>
  return %w : tensor<2x3xf32>
}

// -----

// Outputs of each iteration are joined as well.
// CHECK-LABEL: @rows
// CHECK-NOT: onnx.Loop
// CHECK: onnx.Concat.v13({{.*}}, {{.*}}) {axis = 0 : i64} : {{.*}} -> tensor<2x4xf32>
func.func @rows(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %two = onnx.constant dense<2> : tensor<i64>
  %none = onnx.none
  %s = onnx.SequenceConstruct.v11(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.seq<tensor<4xf32>>
  %z = onnx.Loop.v16(%two, %none) body {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>):
    %part = onnx.SequenceAt.v11(%s, %i) : (!onnx.seq<tensor<4xf32>>, tensor<i64>) -> tensor<4xf32>
    %n = onnx.Neg.v13(%part) : (tensor<4xf32>) -> tensor<4xf32>
    onnx.yield %go, %n : tensor<i1>, tensor<4xf32>
  } : (tensor<i64>, none) -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}

// -----

// A loop whose number of iterations is not known keeps its list.
// CHECK-LABEL: @kept
// CHECK: onnx.Loop.v16
// CHECK: onnx.SequenceInsert
func.func @kept(%m: tensor<i64>, %x: tensor<2xf32>) -> tensor<*xf32> {
  %none = onnx.none
  %empty = onnx.SequenceEmpty.v11() : () -> !onnx.seq<tensor<*xf32>>
  %z = onnx.Loop.v16(%m, %none, %empty) body {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %list: !onnx.seq<tensor<*xf32>>):
    %longer = onnx.SequenceInsert.v11(%list, %x) : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
    onnx.yield %go, %longer : tensor<i1>, !onnx.seq<tensor<*xf32>>
  } : (tensor<i64>, none, !onnx.seq<tensor<*xf32>>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence.v11(%z) {axis = 0 : i64} : (!onnx.seq<tensor<*xf32>>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

// A loop is written out in at most 2^16 nodes: 21845 times the three of this one.
// CHECK-LABEL: @most
// CHECK-NOT: onnx.Loop
// CHECK: %[[S:.+]] = onnx.SequenceConstruct.v11(%arg0)
// CHECK-NEXT: return %[[S]]
func.func @most(%x: tensor<2xf32>) -> !onnx.seq<tensor<2xf32>> {
  %count = onnx.constant dense<21845> : tensor<i64>
  %none = onnx.none
  %s = onnx.SequenceConstruct.v11(%x) : (tensor<2xf32>) -> !onnx.seq<tensor<2xf32>>
  %z = onnx.Loop.v16(%count, %none, %s) body {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %list: !onnx.seq<tensor<2xf32>>):
    %longer = onnx.SequenceInsert.v11(%list, %x) : (!onnx.seq<tensor<2xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<2xf32>>
    %same = onnx.SequenceErase.v11(%longer) : (!onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>>
    onnx.yield %go, %same : tensor<i1>, !onnx.seq<tensor<2xf32>>
  } : (tensor<i64>, none, !onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>>
  return %z : !onnx.seq<tensor<2xf32>>
}

// -----

// CHECK-LABEL: @too_often
// CHECK: onnx.Loop.v16
// CHECK: onnx.SequenceErase
func.func @too_often(%x: tensor<2xf32>) -> !onnx.seq<tensor<2xf32>> {
  %count = onnx.constant dense<21846> : tensor<i64>
  %none = onnx.none
  %s = onnx.SequenceConstruct.v11(%x) : (tensor<2xf32>) -> !onnx.seq<tensor<2xf32>>
  %z = onnx.Loop.v16(%count, %none, %s) body {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %list: !onnx.seq<tensor<2xf32>>):
    %longer = onnx.SequenceInsert.v11(%list, %x) : (!onnx.seq<tensor<2xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<2xf32>>
    %same = onnx.SequenceErase.v11(%longer) : (!onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>>
    onnx.yield %go, %same : tensor<i1>, !onnx.seq<tensor<2xf32>>
  } : (tensor<i64>, none, !onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>>
  return %z : !onnx.seq<tensor<2xf32>>
}
