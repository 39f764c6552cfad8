// RUN: gensyn-opt %s --onnx-infer-shapes --split-input-file | FileCheck %s

// A counter in floats beside the number of the iteration, as Keras writes it:
// the loop runs 5 times, and so its rows are 5.
// CHECK-LABEL: @counter
// CHECK: %[[N:.+]] = onnx.constant dense<5> : tensor<i64>
// CHECK: onnx.Loop.v13(%[[N]],
// CHECK: %[[TRUE:.+]] = onnx.constant dense<true>
// CHECK: onnx.yield %[[TRUE]],
// CHECK: -> (tensor<i32>, tensor<2xf32>, tensor<5x2xf32>)
func.func @counter(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<?x2xf32>) {
  %m = onnx.constant dense<100> : tensor<i64>
  %zero = onnx.constant dense<0> : tensor<i32>
  %one = onnx.constant dense<1> : tensor<i32>
  %low = onnx.constant dense<0.0> : tensor<f32>
  %five = onnx.constant dense<5.0> : tensor<f32>
  %starts = onnx.Less.v13(%low, %five) : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %z:3 = onnx.Loop.v13(%m, %starts, %zero, %x) body {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %n: tensor<i32>, %a: tensor<2xf32>):
    %b = onnx.Add.v14(%a, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %next = onnx.Add.v14(%n, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %place = onnx.Cast.v13(%next) {to = 1 : i64} : (tensor<i32>) -> tensor<f32>
    %first = onnx.Less.v13(%place, %five) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %index = onnx.Cast.v13(%i) {to = 1 : i64} : (tensor<i64>) -> tensor<f32>
    %second = onnx.Less.v13(%index, %five) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %both = onnx.And.v7(%first, %second) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    onnx.yield %both, %next, %b, %b : tensor<i1>, tensor<i32>, tensor<2xf32>, tensor<2xf32>
  } : (tensor<i64>, tensor<i1>, tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>, tensor<?x2xf32>)
  return %z#1, %z#2 : tensor<2xf32>, tensor<?x2xf32>
}

// -----

// Data may end it earlier: 7 is a bound, and the flag stays.
// CHECK-LABEL: @bounded
// CHECK: %[[N:.+]] = onnx.constant dense<7> : tensor<i64>
// CHECK: onnx.Loop.v13(%[[N]],
// CHECK: %[[GO:.+]] = onnx.And.v7
// CHECK: onnx.yield %[[GO]],
func.func @bounded(%x: tensor<f32>, %limit: tensor<f32>) -> tensor<f32> {
  %none = onnx.none
  %seven = onnx.constant dense<6> : tensor<i64>
  %z = onnx.Loop.v13(%none, %none, %x) body {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<f32>):
    %b = onnx.Add.v14(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %small = onnx.Less.v13(%b, %limit) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %early = onnx.Less.v13(%i, %seven) : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %both = onnx.And.v7(%small, %early) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    onnx.yield %both, %b : tensor<i1>, tensor<f32>
  } : (none, none, tensor<f32>) -> tensor<f32>
  return %z : tensor<f32>
}

// -----

// A flag that is false before the first iteration.
// CHECK-LABEL: @never
// CHECK: %[[N:.+]] = onnx.constant dense<0> : tensor<i64>
// CHECK: onnx.Loop.v13(%[[N]],
// CHECK: -> (tensor<f32>, tensor<0xf32>)
func.func @never(%x: tensor<f32>) -> tensor<?xf32> {
  %m = onnx.constant dense<4> : tensor<i64>
  %false = onnx.constant dense<false> : tensor<i1>
  %z:2 = onnx.Loop.v13(%m, %false, %x) body {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<f32>):
    %b = onnx.Add.v14(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    onnx.yield %go, %b, %b : tensor<i1>, tensor<f32>, tensor<f32>
  } : (tensor<i64>, tensor<i1>, tensor<f32>) -> (tensor<f32>, tensor<?xf32>)
  return %z#1 : tensor<?xf32>
}

// -----

// Nothing bounds it: the operands stay as they are.
// CHECK-LABEL: @unknown
// CHECK-NOT: onnx.constant
// CHECK: onnx.Loop.v13(%none, %none, %arg0)
func.func @unknown(%x: tensor<f32>, %limit: tensor<f32>) -> tensor<f32> {
  %none = onnx.none
  %z = onnx.Loop.v13(%none, %none, %x) body {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<f32>):
    %b = onnx.Add.v14(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %small = onnx.Less.v13(%b, %limit) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    onnx.yield %small, %b : tensor<i1>, tensor<f32>
  } : (none, none, tensor<f32>) -> tensor<f32>
  return %z : tensor<f32>
}
