// RUN: gensyn-opt %s --split-input-file --pass-pipeline='builtin.module(train-differentiate)' --verify-diagnostics | FileCheck %s

// The cotangents of the two operands of one op: left first (gradient_r1).
// CHECK-LABEL: func.func @square(
// CHECK-SAME: %[[X:.+]]: tensor<f32>
func.func @square(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: repro.mul %[[X]], %[[X]]
  // CHECK-NEXT: %[[ONE:.+]] = repro.constant dense<1.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[L:.+]] = repro.mul %[[ONE]], %[[X]]
  // CHECK-NEXT: %[[R:.+]] = repro.mul %[[ONE]], %[[X]]
  // CHECK-NEXT: %[[G:.+]] = repro.add %[[L]], %[[R]]
  // CHECK-NEXT: return %[[G]]
  %l = repro.mul %x, %x : tensor<f32>
  %g = train.gradient %l wrt (%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// Uses in reverse program order: the last one begins the sum (gradient_r1).
// CHECK-LABEL: func.func @uses(
func.func @uses(%x: tensor<f32>, %a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) -> tensor<f32> {
  %first = repro.mul %x, %a : tensor<f32>
  %second = repro.mul %x, %b : tensor<f32>
  %third = repro.mul %x, %c : tensor<f32>
  %s = repro.add %first, %second : tensor<f32>
  %l = repro.add %s, %third : tensor<f32>
  // CHECK: %[[ONE:.+]] = repro.constant
  // CHECK-NEXT: %[[THIRD:.+]] = repro.mul %[[ONE]], %arg3
  // CHECK-NEXT: %[[SECOND:.+]] = repro.mul %[[ONE]], %arg2
  // CHECK-NEXT: %[[SUM:.+]] = repro.add %[[THIRD]], %[[SECOND]]
  // CHECK-NEXT: %[[FIRST:.+]] = repro.mul %[[ONE]], %arg1
  // CHECK-NEXT: %[[G:.+]] = repro.add %[[SUM]], %[[FIRST]]
  // CHECK-NEXT: return %[[G]]
  %g = train.gradient %l wrt (%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// Only what lies between the value and the loss is visited; a value that the
// loss does not depend on has the gradient zero.
// CHECK-LABEL: func.func @paths(
func.func @paths(%x: tensor<f32>, %c: tensor<f32>, %u: tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>) {
  // CHECK: %[[A:.+]] = repro.exp %arg1
  // CHECK: repro.mul
  // CHECK: repro.tanh
  // CHECK-NEXT: %[[ONE:.+]] = repro.constant dense<1.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[G:.+]] = repro.mul %[[ONE]], %[[A]]
  // CHECK-NEXT: %[[Z:.+]] = repro.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[ZERO:.+]] = repro.broadcast %[[Z]] dims [] : tensor<f32> to tensor<2xf32>
  // CHECK-NEXT: return %[[G]], %[[ZERO]]
  %a = repro.exp %c : tensor<f32>
  %b = repro.mul %a, %x : tensor<f32>
  %side = repro.tanh %x : tensor<f32>
  %g:2 = train.gradient %b wrt (%x, %u) : (tensor<f32>, tensor<f32>, tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>)
  return %g#0, %g#1 : tensor<f32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @stop_gradient(
// CHECK-NOT: train.
func.func @stop_gradient(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: repro.mul %arg0, %arg0
  // CHECK: %[[ONE:.+]] = repro.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: %[[G:.+]] = repro.mul %[[ONE]], %arg0
  // CHECK: return %[[G]]
  %s = train.stop_gradient %x : tensor<f32>
  %l = repro.mul %x, %s : tensor<f32>
  %g = train.gradient %l wrt (%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// An intermediate value, and the loss itself.
// CHECK-LABEL: func.func @intermediate(
func.func @intermediate(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // CHECK: %[[E:.+]] = repro.exp %arg0
  // CHECK: %[[L:.+]] = repro.exp %[[E]]
  // CHECK: %[[ONE:.+]] = repro.constant
  // CHECK: %[[G:.+]] = repro.mul %[[ONE]], %[[L]]
  // CHECK: return %[[G]], %[[ONE]]
  %e = repro.exp %x : tensor<f32>
  %l = repro.exp %e : tensor<f32>
  %g:2 = train.gradient %l wrt (%e, %l) : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %g#0, %g#1 : tensor<f32>, tensor<f32>
}

// -----

// A gradient of a gradient.
// CHECK-LABEL: func.func @second(
func.func @second(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: %[[E:.+]] = repro.exp %arg0
  // CHECK-NEXT: %[[ONE:.+]] = repro.constant
  // CHECK-NEXT: repro.mul %[[ONE]], %[[E]]
  // CHECK-NEXT: %[[SEED:.+]] = repro.constant
  // CHECK-NEXT: %[[G:.+]] = repro.mul %[[SEED]], %[[ONE]]
  // CHECK-NEXT: %[[H:.+]] = repro.mul %[[G]], %[[E]]
  // CHECK-NEXT: return %[[H]]
  %l = repro.exp %x : tensor<f32>
  %g = train.gradient %l wrt (%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %h = train.gradient %g wrt (%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %h : tensor<f32>
}

// -----

// Comparisons and integers end a path, whatever they are.
// CHECK-LABEL: func.func @integers(
func.func @integers(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: repro.convert
  // CHECK: %[[F:.+]] = repro.convert
  // CHECK: %[[ONE:.+]] = repro.constant
  // CHECK-NEXT: %[[G:.+]] = repro.mul %[[ONE]], %[[F]]
  // CHECK-NEXT: return %[[G]]
  %i = repro.convert %x : tensor<f32> to tensor<i32>
  %f = repro.convert %i : tensor<i32> to tensor<f32>
  %l = repro.mul %x, %f : tensor<f32>
  %g = train.gradient %l wrt (%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

func.func @no_interface(%x: tensor<f32> {gensyn.name = "w"}) -> tensor<f32> {
  // expected-error @+1 {{'math.exp' op has no derivative, which the gradient with respect to 'w' needs}}
  %l = math.exp %x : tensor<f32>
  %g = train.gradient %l wrt (%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// Bits are no number; where they become integers nothing flows, as with all
// integers.
func.func @no_vjp(%c: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %h = repro.convert %x : tensor<4xf32> to tensor<4xf16>
  // expected-error @+1 {{'repro.bitcast' op has no derivative: bit patterns are not numbers}}
  %b = repro.bitcast %h : tensor<4xf16> to tensor<4xbf16>
  %w = repro.convert %b : tensor<4xbf16> to tensor<4xf32>
  %l = repro.reduce sum %w domain <[4], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<4xf32> -> tensor<f32>
  // expected-note @+1 {{the gradient with respect to argument 1 needs it}}
  %g = train.gradient %l wrt (%x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

// The data gradient of a stride walks no tap that is off its lattice: they are
// left out, not multiplied by zero.
// CHECK-LABEL: func.func @strided_convolution(
func.func @strided_convolution(%x: tensor<1x1x8xf32>, %w: tensor<1x1x3xf32>) -> (tensor<1x1x8xf32>, tensor<1x1x3xf32>) {
  %y = repro.contract %x, %w domain <[1, 1, 4, 1, 3], reduce [3, 4]>
      maps [affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2 * 2 + d4 - 1)>, affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4)>,
            affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>]
      bounds [zero, in] : tensor<1x1x8xf32>, tensor<1x1x3xf32> -> tensor<1x1x4xf32>
  %l = repro.reduce sum %y domain <[1, 1, 4], reduce [0, 1, 2]>
      maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> ()>] : tensor<1x1x4xf32> -> tensor<f32>
  %d:2 = train.gradient %l wrt (%x, %w) : (tensor<f32>, tensor<1x1x8xf32>, tensor<1x1x3xf32>) -> (tensor<1x1x8xf32>, tensor<1x1x3xf32>)
  // CHECK: %[[G:.+]] = repro.broadcast
  // CHECK: %[[DX:.+]] = repro.contract %[[G]], %arg1 domain <[1, 1, 5, 2, 1, 2], reduce [4, 5]> {{.*}} bounds [zero, skip]
  // CHECK: %[[DW:.+]] = repro.contract %arg0, %[[G]] domain <[1, 1, 3, 1, 4], reduce [3, 4]> {{.*}} bounds [zero, in]
  // CHECK: return %[[DX]], %[[DW]]
  return %d#0, %d#1 : tensor<1x1x8xf32>, tensor<1x1x3xf32>
}

// -----

// In a microbatch a parameter has the name that it has outside.
func.func @microbatch(%x: tensor<8xf32> {gensyn.name = "x"}, %p: tensor<4xf32> {gensyn.name = "w"}) -> tensor<4xf32> {
  %0 = train.accumulate 2 split(%x) shared(%p) : (tensor<8xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%i: tensor<i64>, %part: tensor<4xf32>, %w: tensor<4xf32>):
    %h = repro.mul %part, %w : tensor<4xf32>
    // expected-error @+1 {{'math.exp' op has no derivative, which the gradient with respect to 'w' needs}}
    %e = math.exp %h : tensor<4xf32>
    %l = repro.reduce sum %e domain <[4], reduce [0]>
        maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<4xf32> -> tensor<f32>
    %g = train.gradient %l wrt (%w) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
    train.yield %g : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A tape of each iteration has to be a tensor of the program (g2).
func.func @loop_r4_unbounded(%go: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'repro.loop' op has no bound on its iterations, and its derivative keeps 'tensor<f32>' of each}}
  %l = repro.loop trips 9223372036854775807 while %go (%i, %a = %x : tensor<f32>) {
    %b = repro.mul %a, %a : tensor<f32>
    %f = repro.compare lt %b, %a : tensor<f32>
    repro.yield %f, %b : tensor<i1>, tensor<f32>
  }
  // expected-note @+1 {{the gradient with respect to argument 1 needs it}}
  %g = train.gradient %l wrt (%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

func.func @loop_r4_too_often(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'repro.loop' op may run 1099511627776 times, too often for a derivative, which keeps 'tensor<2xf32>' of each}}
  %y = repro.loop trips 1099511627776 (%i, %a = %x : tensor<2xf32>) {
    %b = repro.mul %a, %a : tensor<2xf32>
    repro.yield %b : tensor<2xf32>
  }
  %l = repro.reduce sum %y domain <[2], reduce [0]>
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] : tensor<2xf32> -> tensor<f32>
  // expected-note @+1 {{the gradient with respect to argument 0 needs it}}
  %g = train.gradient %l wrt (%x) : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  return %g : tensor<2xf32>
}

// -----

// The largest tape that there may be, and a loop without bound that needs none.
// CHECK-LABEL: func.func @loop_r4_most(
func.func @loop_r4_most(%x: tensor<f32>, %c: tensor<f32>) -> tensor<f32> {
  %y = repro.loop trips 1099511627776 (%i, %a = %x : tensor<f32>) {
    %b = repro.mul %a, %a : tensor<f32>
    repro.yield %b : tensor<f32>
  }
  %l = repro.loop trips 9223372036854775807 (%i, %a = %y : tensor<f32>) invariant (%d = %c : tensor<f32>) {
    %b = repro.add %a, %d : tensor<f32>
    repro.yield %b : tensor<f32>
  }
  // CHECK: repro.broadcast {{.+}} to tensor<1099511627776xf32>
  // CHECK: return
  %g = train.gradient %l wrt (%x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}
