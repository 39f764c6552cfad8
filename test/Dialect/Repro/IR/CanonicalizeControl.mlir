// RUN: gensyn-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @knownIf
// CHECK-NEXT: %[[Y:.+]] = repro.neg %arg0
// CHECK-NEXT: return %[[Y]]
func.func @knownIf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %p = repro.constant dense<false> : tensor<i1>
  %y = repro.if %p (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    repro.yield %a : tensor<4xf32>
  } else {
    %b = repro.neg %a : tensor<4xf32>
    repro.yield %b : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func @noTrips
// CHECK-NEXT: return %arg0
func.func @noTrips(%x: tensor<4xf32>, %go: tensor<i1>) -> tensor<4xf32> {
  %y = repro.loop trips 0 while %go (%i, %a = %x : tensor<4xf32>) {
    %b = repro.neg %a : tensor<4xf32>
    %go2 = repro.constant dense<true> : tensor<i1>
    repro.yield %go2, %b : tensor<i1>, tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// It may fault, so it stays.
// CHECK-LABEL: func @noTripsWithFault
// CHECK: repro.loop trips 0 while %arg1 exhaust fault
func.func @noTripsWithFault(%x: tensor<4xf32>, %go: tensor<i1>) -> tensor<4xf32> {
  %y = repro.loop trips 0 while %go exhaust fault (%i, %a = %x : tensor<4xf32>) {
    %b = repro.neg %a : tensor<4xf32>
    %go2 = repro.constant dense<true> : tensor<i1>
    repro.yield %go2, %b : tensor<i1>, tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func @neverGoes
// CHECK-NEXT: return %arg0
func.func @neverGoes(%x: tensor<4xf32>) -> tensor<4xf32> {
  %no = repro.constant dense<false> : tensor<i1>
  %y = repro.loop trips 9 while %no exhaust fault (%i, %a = %x : tensor<4xf32>) {
    %b = repro.neg %a : tensor<4xf32>
    %go = repro.constant dense<true> : tensor<i1>
    repro.yield %go, %b : tensor<i1>, tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func @oneTrip
// CHECK: %[[I:.+]] = repro.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[Y:.+]] = repro.neg %arg0
// CHECK-NEXT: return %[[Y]], %[[I]]
func.func @oneTrip(%x: tensor<4xf32>, %j: tensor<i64>) -> (tensor<4xf32>, tensor<i64>) {
  %y:2 = repro.loop trips 1 (%i, %a = %x : tensor<4xf32>, %k = %j : tensor<i64>) {
    %b = repro.neg %a : tensor<4xf32>
    repro.yield %b, %i : tensor<4xf32>, tensor<i64>
  }
  return %y#0, %y#1 : tensor<4xf32>, tensor<i64>
}

// Constants move inside, where they fold; what does not change is not carried.
// CHECK-LABEL: func @shared
// CHECK-NEXT: repro.loop trips 5 (%{{.+}}, %[[A:.+]] = %arg0 : tensor<4xf32>) invariant (%[[S:.+]] = %arg1 : tensor<4xf32>) {
// CHECK-NEXT: %[[C:.+]] = repro.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[D:.+]] = repro.mul %[[A]], %[[C]]
// CHECK-NEXT: %[[E:.+]] = repro.add %[[D]], %[[S]]
// CHECK-NEXT: repro.yield %[[E]] : tensor<4xf32>
func.func @shared(%x: tensor<4xf32>, %s: tensor<4xf32>, %unread: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = repro.constant dense<1.0> : tensor<4xf32>
  %two = repro.constant dense<2.0> : tensor<4xf32>
  %y:3 = repro.loop trips 5 (%i, %a = %x : tensor<4xf32>, %same = %s : tensor<4xf32>, %u = %unread : tensor<4xf32>)
      invariant (%p = %one : tensor<4xf32>, %q = %two : tensor<4xf32>, %r = %unread : tensor<4xf32>) {
    %c = repro.add %p, %q : tensor<4xf32>
    %d = repro.mul %a, %c : tensor<4xf32>
    %e = repro.add %d, %same : tensor<4xf32>
    repro.yield %e, %same, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %y#0, %y#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @unreadResult
// CHECK: repro.if %arg0 (%[[A:.+]] = %arg1 : tensor<4xf32>) -> (tensor<4xf32>) {
func.func @unreadResult(%p: tensor<i1>, %x: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %y:2 = repro.if %p (%a = %x : tensor<4xf32>, %c = %z : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %b = repro.neg %c : tensor<4xf32>
    repro.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  } else {
    %b = repro.neg %a : tensor<4xf32>
    repro.yield %a, %b : tensor<4xf32>, tensor<4xf32>
  }
  return %y#1 : tensor<4xf32>
}

// CHECK-LABEL: func @checks
// CHECK-NEXT: %[[NO:.+]] = repro.constant dense<false>
// CHECK-NEXT: repro.check %[[NO]] "broken"
// CHECK-NEXT: return
func.func @checks() {
  %yes = repro.constant dense<true> : tensor<i1>
  %no = repro.constant dense<false> : tensor<i1>
  repro.check %yes "kept" : tensor<i1>
  repro.check %no "broken" : tensor<i1>
  return
}
