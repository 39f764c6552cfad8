// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-lower-accumulate)' | FileCheck %s

// Powers of two are loops of two in loops of two.
// CHECK-LABEL: @four
// CHECK-SAME: (%[[X:.+]]: tensor<8x3xf32>
// CHECK: %[[P:.+]] = repro.reshape %[[X]] : tensor<8x3xf32> to tensor<4x2x3xf32>
// CHECK: %[[ZERO:.+]] = repro.constant dense<0> : tensor<i64>
// CHECK: repro.constant dense<-0.000000e+00> : tensor<f32>
// CHECK: %[[ALL:.+]]:2 = repro.loop trips 2 (%[[H:.+]], %[[S:.+]] = %arg1 : tensor<3xf32>, %[[SUM:.+]] = %{{.+}} : tensor<3xf32>) invariant (%[[FIRST:.+]] = %[[ZERO]] : tensor<i64>, %[[XP:.+]] = %[[P]] : tensor<4x2x3xf32>)
// CHECK: %[[TWO:.+]] = repro.constant dense<2>
// CHECK: %[[SKIP:.+]] = repro.mul %[[H]], %[[TWO]]
// CHECK: %[[BEGIN:.+]] = repro.add %[[FIRST]], %[[SKIP]]
// CHECK: %[[HALF:.+]]:2 = repro.loop trips 2 (%[[I:.+]], %[[SI:.+]] = %[[S]] : tensor<3xf32>, %[[SUMI:.+]] = %{{.+}} : tensor<3xf32>) invariant (%[[B:.+]] = %[[BEGIN]] : tensor<i64>, %[[XI:.+]] = %[[XP]] :
// CHECK: %[[N:.+]] = repro.add %[[B]], %[[I]]
// CHECK: %[[PART:.+]] = repro.gather %[[XI]][%[[N]]]
// CHECK: %[[ROW:.+]] = repro.slice %[[PART]]
// CHECK: %[[R:.+]] = repro.reshape %[[ROW]]
// CHECK: %[[NEXT:.+]] = repro.add %[[SI]], %[[R]]
// CHECK: %[[SQUARE:.+]] = repro.mul %[[R]], %[[R]]
// CHECK: %[[ADDED:.+]] = repro.add %[[SUMI]], %[[SQUARE]]
// CHECK: repro.yield %[[NEXT]], %[[ADDED]]
// CHECK: %[[OUT:.+]] = repro.add %[[SUM]], %[[HALF]]#1
// CHECK: repro.yield %[[HALF]]#0, %[[OUT]]
// CHECK: return %[[ALL]]#0, %[[ALL]]#1
func.func @four(%x: tensor<8x3xf32>, %s: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0:2 = train.accumulate 4 split(%x) carried(%s)
      : (tensor<8x3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%i: tensor<i64>, %part: tensor<2x3xf32>, %state: tensor<3xf32>):
    %row = repro.slice %part start [0, 0] limit [1, 3] stride [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
    %r = repro.reshape %row : tensor<1x3xf32> to tensor<3xf32>
    %next = repro.add %state, %r : tensor<3xf32>
    %square = repro.mul %r, %r : tensor<3xf32>
    train.yield %next, %square : tensor<3xf32>, tensor<3xf32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}

// (0 + 1) + 2; what is carried goes through all three in order (accumulate_r1).
// CHECK-LABEL: @three
// CHECK: %[[LOOP:.+]]:2 = repro.loop trips 2
// CHECK: repro.constant dense<2> : tensor<i64>
// CHECK: repro.gather
// CHECK: %[[NEXT:.+]] = repro.add %[[LOOP]]#0
// CHECK: %[[SUM:.+]] = repro.add %[[LOOP]]#1, %{{.+}} : tensor<3xf32>
// CHECK: return %[[NEXT]], %[[SUM]]
func.func @three(%x: tensor<3x3xf32>, %s: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0:2 = train.accumulate 3 split(%x) carried(%s)
      : (tensor<3x3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%i: tensor<i64>, %part: tensor<1x3xf32>, %state: tensor<3xf32>):
    %r = repro.reshape %part : tensor<1x3xf32> to tensor<3xf32>
    %next = repro.add %state, %r : tensor<3xf32>
    %square = repro.mul %r, %r : tensor<3xf32>
    train.yield %next, %square : tensor<3xf32>, tensor<3xf32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}
