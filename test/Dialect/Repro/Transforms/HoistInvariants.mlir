// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-hoist-invariants))' --check-bits=all | FileCheck %s

// A transpose is computed once; an op that also needs the carried value stays.
// CHECK-LABEL: func.func @weights
// CHECK: %[[T:[^ ]+]] = repro.transpose %arg1 [1, 0]
// CHECK: repro.loop trips 5 (%{{.+}}, %[[S:[^ ]+]] = %arg0 : tensor<3x3xf32>) invariant ({{.*}}%[[W:[^ ]+]] = %[[T]] : tensor<3x3xf32>) {
// CHECK-NEXT: %[[N:[^ ]+]] = repro.add %[[S]], %[[W]]
// CHECK-NEXT: repro.yield %[[N]]
func.func @weights(%x: tensor<3x3xf32>, %w: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %r = repro.loop trips 5 (%i, %s = %x : tensor<3x3xf32>) invariant (%a = %w : tensor<3x3xf32>) {
    %t = repro.transpose %a [1, 0] : tensor<3x3xf32> to tensor<3x3xf32>
    %n = repro.add %s, %t : tensor<3x3xf32>
    repro.yield %n : tensor<3x3xf32>
  }
  return %r : tensor<3x3xf32>
}

// A chain leaves as a whole; one value of it is enough in the loop.
// CHECK-LABEL: func.func @chain
// CHECK: %[[E:[^ ]+]] = repro.exp %arg1
// CHECK: %[[P:[^ ]+]] = repro.mul %[[E]], %[[E]]
// CHECK: repro.loop trips 5 while %arg2 (%{{.+}}, %{{.+}} = %arg0 : tensor<4xf32>) invariant ({{.*}} = %[[P]] : tensor<4xf32>) {
// CHECK-NOT: repro.exp
// CHECK: return
func.func @chain(%x: tensor<4xf32>, %y: tensor<4xf32>, %go: tensor<i1>) -> tensor<4xf32> {
  %r = repro.loop trips 5 while %go (%i, %s = %x : tensor<4xf32>) invariant (%a = %y : tensor<4xf32>) {
    %no = repro.constant dense<false> : tensor<i1>
    %e = repro.exp %a : tensor<4xf32>
    %p = repro.mul %e, %e : tensor<4xf32>
    %n = repro.add %s, %p : tensor<4xf32>
    repro.yield %no, %n : tensor<i1>, tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// What is larger than its operands, or may fault, is computed where it is.
// CHECK-LABEL: func.func @stays
// CHECK: repro.loop
// CHECK-DAG: repro.broadcast
// CHECK-DAG: repro.gather
// CHECK: repro.yield
func.func @stays(%x: tensor<4x4xf32>, %y: tensor<4xf32>, %at: tensor<4xi64>) -> tensor<4x4xf32> {
  %r = repro.loop trips 5 (%i, %s = %x : tensor<4x4xf32>) invariant (%a = %y : tensor<4xf32>, %b = %at : tensor<4xi64>) {
    %w = repro.broadcast %a dims [1] : tensor<4xf32> to tensor<4x4xf32>
    %g = repro.gather %a[%b] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>] bounds fault
      : tensor<4xf32>, tensor<4xi64> -> tensor<4xf32>
    %v = repro.broadcast %g dims [0] : tensor<4xf32> to tensor<4x4xf32>
    %n = repro.add %s, %w : tensor<4x4xf32>
    %m = repro.mul %n, %v : tensor<4x4xf32>
    repro.yield %m : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// Out of two loops.
// CHECK-LABEL: func.func @nested
// CHECK: repro.neg %arg1
// CHECK: repro.loop trips 2
// CHECK: repro.loop trips 3
// CHECK-NOT: repro.neg
// CHECK: return
func.func @nested(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = repro.loop trips 2 (%i, %s = %x : tensor<4xf32>) invariant (%a = %y : tensor<4xf32>) {
    %q = repro.loop trips 3 (%j, %t = %s : tensor<4xf32>) invariant (%b = %a : tensor<4xf32>) {
      %c = repro.neg %b : tensor<4xf32>
      %n = repro.mul %t, %c : tensor<4xf32>
      repro.yield %n : tensor<4xf32>
    }
    repro.yield %q : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
