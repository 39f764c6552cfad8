// RUN: gensyn-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func @branch
// CHECK: repro.if %arg0 (%[[A:.+]] = %arg1 : tensor<4xf32>) -> (tensor<4xf32>) {
// CHECK-NEXT: repro.yield %[[A]] : tensor<4xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[B:.+]] = repro.neg %[[A]] : tensor<4xf32>
// CHECK-NEXT: repro.yield %[[B]] : tensor<4xf32>
func.func @branch(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = repro.if %p (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    repro.yield %a : tensor<4xf32>
  } else {
    %b = repro.neg %a : tensor<4xf32>
    repro.yield %b : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func @branchOfNothing
// CHECK: repro.if %arg0 () -> () {
func.func @branchOfNothing(%p: tensor<i1>) {
  repro.if %p () -> () {
    repro.yield
  } else {
    repro.yield
  }
  return
}

// CHECK-LABEL: func @loop
// CHECK: repro.loop trips 8 (%[[I:.+]], %[[A:.+]] = %arg0 : tensor<4xf32>) invariant (%[[B:.+]] = %arg1 : tensor<4xf32>) {
// CHECK-NEXT: %[[C:.+]] = repro.add %[[A]], %[[B]] : tensor<4xf32>
// CHECK-NEXT: repro.yield %[[C]] : tensor<4xf32>
func.func @loop(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %n = repro.loop trips 8 (%i, %a = %x : tensor<4xf32>) invariant (%b = %y : tensor<4xf32>) {
    %c = repro.add %a, %b : tensor<4xf32>
    repro.yield %c : tensor<4xf32>
  }
  return %n : tensor<4xf32>
}

// CHECK-LABEL: func @while
// CHECK: repro.loop trips 8 while %arg0 exhaust fault (%[[I:.+]], %[[A:.+]] = %arg1 : tensor<4xf32>, %[[G:.+]] = %arg0 : tensor<i1>) {
// CHECK: repro.yield %[[G]], %[[A]], %[[G]] : tensor<i1>, tensor<4xf32>, tensor<i1>
func.func @while(%go: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %n:2 = repro.loop trips 8 while %go exhaust fault (%i, %a = %x : tensor<4xf32>, %g = %go : tensor<i1>) {
    repro.yield %g, %a, %g : tensor<i1>, tensor<4xf32>, tensor<i1>
  }
  return %n#0 : tensor<4xf32>
}

// CHECK-LABEL: func @loopOfNothing
// CHECK: repro.loop trips 3 (%{{.+}}) attributes {a = 1 : i64} {
func.func @loopOfNothing() {
  repro.loop trips 3 (%i) attributes {a = 1} {
    repro.yield
  }
  return
}

// CHECK-LABEL: func @check
// CHECK: repro.check %arg0 "the mask has 3 ones" : tensor<i1>
func.func @check(%ok: tensor<i1>) {
  repro.check %ok "the mask has 3 ones" : tensor<i1>
  return
}
