// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-form-kernels))' | FileCheck %s

// A loop stands between kernels: what it is given is in memory, each value that
// its body yields has a kernel of its own, and ops that may fault have numbers in
// program order, those that nobody reads too.
// CHECK-LABEL: func.func @loop
// CHECK: %[[S:.+]] = repro.kernel "k0_add"
// CHECK: %[[L:.+]]:2 = repro.loop trips 4 (%[[I:.+]], %[[A:.+]] = %[[S]] : tensor<3xf32>, %[[B:.+]] = %arg0 : tensor<3xf32>) invariant (%[[T:.+]] = %arg1 : tensor<5x3xf32>) {
// CHECK: %[[M:.+]] = repro.kernel "k1_mul" (%{{.+}} = %[[A]] : tensor<3xf32>, %{{.+}} = %[[T]] : tensor<5x3xf32>, %{{.+}} = %[[I]] : tensor<i64>)
// CHECK: {repro.fault_slot = 0 : i64}
// CHECK: %[[C:.+]] = repro.kernel "k2_copy" (%{{.+}} = %[[A]] : tensor<3xf32>)
// CHECK: repro.yield %[[M]], %[[C]] : tensor<3xf32>, tensor<3xf32>
// CHECK: repro.kernel "k3_gather"
// CHECK: {repro.fault_slot = 1 : i64}
// CHECK: %[[Y:.+]] = repro.kernel "k4_copy" (%{{.+}} = %[[L]]#0 : tensor<3xf32>)
// CHECK: return %[[Y]]
func.func @loop(%x: tensor<3xf32>, %t: tensor<5x3xf32>, %i: tensor<i64>) -> tensor<3xf32> {
  %s = repro.add %x, %x : tensor<3xf32>
  %y:2 = repro.loop trips 4 (%j, %a = %s : tensor<3xf32>, %b = %x : tensor<3xf32>) invariant (%d = %t : tensor<5x3xf32>) {
    %r = repro.gather %d[%j] maps [affine_map<(d0)[s0] -> (s0, d0)>, affine_map<(d0) -> ()>]
        bounds fault : tensor<5x3xf32>, tensor<i64> -> tensor<3xf32>
    %m = repro.mul %a, %r : tensor<3xf32>
    repro.yield %m, %a : tensor<3xf32>, tensor<3xf32>
  }
  %unread = repro.gather %t[%i] maps [affine_map<(d0)[s0] -> (s0, d0)>, affine_map<(d0) -> ()>]
      bounds fault : tensor<5x3xf32>, tensor<i64> -> tensor<3xf32>
  return %y#0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @branch
// CHECK: %[[P:.+]] = repro.kernel "k0_not"
// CHECK: repro.check %[[P]] "kept" {repro.fault_slot = 0 : i64}
// CHECK: %[[Y:.+]] = repro.if %[[P]] (%[[A:.+]] = %arg1 : tensor<3xf32>) -> (tensor<3xf32>) {
// CHECK: %[[U:.+]] = repro.kernel "k{{.+}}_copy" (%{{.+}} = %[[A]] : tensor<3xf32>)
// CHECK: repro.yield %[[U]]
// CHECK: } else {
// CHECK: %[[V:.+]] = repro.kernel "k{{.+}}_neg" (%{{.+}} = %[[A]] : tensor<3xf32>)
// CHECK: repro.yield %[[V]]
func.func @branch(%p: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %q = repro.not %p : tensor<i1>
  repro.check %q "kept" : tensor<i1>
  %y = repro.if %q (%a = %x : tensor<3xf32>) -> tensor<3xf32> {
    repro.yield %a : tensor<3xf32>
  } else {
    %n = repro.neg %a : tensor<3xf32>
    repro.yield %n : tensor<3xf32>
  }
  return %y : tensor<3xf32>
}
