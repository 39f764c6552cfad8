// RUN: gensyn-opt %s --check-bits=all --pass-pipeline='builtin.module(func.func(repro-rematerialize{budget=1100}))' | FileCheck %s
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-rematerialize{nodes=e?p,other}))' | FileCheck %s --check-prefix=NODES
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-rematerialize{budget=2048}))' | FileCheck %s --check-prefix=ENOUGH
// RUN: not gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-rematerialize{budget=700}))' 2>&1 | FileCheck %s --check-prefix=SHORT

// Values of 512 bytes. While k3 runs %a and %b wait for later readers. %b has no
// other, so it is computed later; %a is computed twice, since what it follows
// from is an argument.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: repro.kernel "k0_exp" (%{{.*}} = %arg0
// CHECK: repro.kernel "k2_reverse"
// CHECK: repro.kernel "k3_reverse"
// CHECK: %[[E:.*]] = repro.kernel "k4_reverse"
// CHECK: %[[A:.*]] = repro.kernel "k0_exp_0" (%{{.*}} = %arg0
// CHECK: %[[F:.*]] = repro.kernel "k5_mul" (%{{.*}} = %[[E]] : tensor<128xf32>, %{{.*}} = %[[A]]
// CHECK: %[[B:.*]] = repro.kernel "k1_neg" (%{{.*}} = %arg0
// CHECK: repro.kernel "k6_mul" (%{{.*}} = %[[F]] : tensor<128xf32>, %{{.*}} = %[[B]]

// A pattern says which values, whatever the budget.
// NODES-LABEL: func.func @main
// NODES-NEXT: repro.kernel "k0_exp"
// NODES: repro.kernel "k1_neg"
// NODES: repro.kernel "k2_reverse"
// NODES: repro.kernel "k4_reverse"
// NODES: repro.kernel "k0_exp_0"
// NODES: repro.kernel "k5_mul"
// NODES-NOT: repro.kernel "k1_neg"

// ENOUGH-LABEL: func.func @main
// ENOUGH-NEXT: repro.kernel "k0_exp"
// ENOUGH-NOT: repro.kernel "k0_exp"

// No kernel can do without its operand and its result.
// SHORT: error: the arena needs 1024 bytes, 324 more than the budget of 700
func.func @main(%x: tensor<128xf32>) -> tensor<128xf32> {
  %a = repro.kernel "k0_exp" (%i0 = %x : tensor<128xf32>) -> tensor<128xf32> {
    %r = repro.exp %i0 : tensor<128xf32>
    repro.yield %r : tensor<128xf32>
  } loc("exp")
  %b = repro.kernel "k1_neg" (%i0 = %x : tensor<128xf32>) -> tensor<128xf32> {
    %r = repro.neg %i0 : tensor<128xf32>
    repro.yield %r : tensor<128xf32>
  } loc("neg")
  %c = repro.kernel "k2_reverse" (%i0 = %a : tensor<128xf32>) -> tensor<128xf32> {
    %r = repro.reverse %i0 dims [0] : tensor<128xf32>
    repro.yield %r : tensor<128xf32>
  } loc("reverse")
  %d = repro.kernel "k3_reverse" (%i0 = %c : tensor<128xf32>) -> tensor<128xf32> {
    %r = repro.reverse %i0 dims [0] : tensor<128xf32>
    repro.yield %r : tensor<128xf32>
  } loc("reverse")
  %e = repro.kernel "k4_reverse" (%i0 = %d : tensor<128xf32>) -> tensor<128xf32> {
    %r = repro.reverse %i0 dims [0] : tensor<128xf32>
    repro.yield %r : tensor<128xf32>
  } loc("reverse")
  %f = repro.kernel "k5_mul" (%i0 = %e : tensor<128xf32>, %i1 = %a : tensor<128xf32>) -> tensor<128xf32> {
    %r = repro.mul %i0, %i1 : tensor<128xf32>
    repro.yield %r : tensor<128xf32>
  } loc("reverse")
  %g = repro.kernel "k6_mul" (%i0 = %f : tensor<128xf32>, %i1 = %b : tensor<128xf32>) -> tensor<128xf32> {
    %r = repro.mul %i0, %i1 : tensor<128xf32>
    repro.yield %r : tensor<128xf32>
  } loc("reverse")
  %h = repro.kernel "k7_reverse" (%i0 = %g : tensor<128xf32>) -> tensor<128xf32> {
    %r = repro.reverse %i0 dims [0] : tensor<128xf32>
    repro.yield %r : tensor<128xf32>
  }
  return %h : tensor<128xf32>
}
