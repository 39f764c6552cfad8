// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-sum-after-loops))' --check-bits=all | FileCheck %s

#slice = affine_map<(d0, d1)[s0] -> (s0, d0, d1)>
#none = affine_map<(d0, d1) -> ()>
#row = affine_map<(d0, d1, d2) -> (d2, d0)>
#column = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-DAG: #[[$ROWS:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
// CHECK-DAG: #[[$COLUMNS:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[$RESULT:.+]] = affine_map<(d0, d1, d2, d3) -> (d1, d2)>

// The gradient of a weight: the first operand is a slice of an input, the second is kept.
// CHECK-LABEL: func.func @gradient
// CHECK: %[[R:[^ :]+]]:2 = repro.loop trips 4 (%[[I:[^ ]+]], %[[S:[^ ]+]] = %arg0 : tensor<2x7xf32>, %[[KEPT:[^ ]+]] = %{{.+}} : tensor<4x2x7xf32>)
// CHECK: %[[K:[^ ]+]] = repro.scatter set %[[KEPT]], %[[S]][%[[I]]]
// CHECK: repro.yield %{{.+}}, %[[K]] : tensor<2x7xf32>, tensor<4x2x7xf32>
// CHECK: %[[W:[^ ]+]] = repro.contract %arg1, %[[R]]#1 domain <[4, 6, 7, 2], reduce [0, 3]> maps [#[[$ROWS]], #[[$COLUMNS]], #[[$RESULT]]] bounds [in, in] order blocked<2, sequential, sequential> : tensor<4x2x6xf32>, tensor<4x2x7xf32> -> tensor<6x7xf32>
// CHECK: return %[[W]], %[[R]]#0
func.func @gradient(%s0: tensor<2x7xf32>, %xs: tensor<4x2x6xf32>) -> (tensor<6x7xf32>, tensor<2x7xf32>) {
  %zero = repro.constant dense<0.0> : tensor<6x7xf32>
  %r:2 = repro.loop trips 4 (%i, %w = %zero : tensor<6x7xf32>, %s = %s0 : tensor<2x7xf32>)
      invariant (%a = %xs : tensor<4x2x6xf32>) {
    %x = repro.gather %a[%i] maps [#slice, #none] bounds zero : tensor<4x2x6xf32>, tensor<i64> -> tensor<2x6xf32>
    %p = repro.contract %x, %s domain <[6, 7, 2], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      order sequential : tensor<2x6xf32>, tensor<2x7xf32> -> tensor<6x7xf32>
    %n = repro.add %p, %w : tensor<6x7xf32>
    %m = repro.neg %s : tensor<2x7xf32>
    repro.yield %n, %m : tensor<6x7xf32>, tensor<2x7xf32>
  }
  return %r#0, %r#1 : tensor<6x7xf32>, tensor<2x7xf32>
}

// Integers have no order, and an invariant operand stays one.
// CHECK-LABEL: func.func @integers
// CHECK: repro.contract %arg1, %{{.+}} domain <[4, 3, 5, 1], reduce [0, 3]> maps {{.*}} bounds [in, in] : tensor<1x3xi32>, tensor<4x1x5xi32> -> tensor<3x5xi32>
func.func @integers(%s0: tensor<1x5xi32>, %x: tensor<1x3xi32>) -> tensor<3x5xi32> {
  %zero = repro.constant dense<0> : tensor<3x5xi32>
  %r:2 = repro.loop trips 4 (%i, %w = %zero : tensor<3x5xi32>, %s = %s0 : tensor<1x5xi32>)
      invariant (%a = %x : tensor<1x3xi32>) {
    %p = repro.contract %a, %s domain <[3, 5, 1], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      : tensor<1x3xi32>, tensor<1x5xi32> -> tensor<3x5xi32>
    %n = repro.add %w, %p : tensor<3x5xi32>
    %m = repro.neg %s : tensor<1x5xi32>
    repro.yield %n, %m : tensor<3x5xi32>, tensor<1x5xi32>
  }
  return %r#0 : tensor<3x5xi32>
}

// The gradient of slices: only the slice of the iteration is written.
// CHECK-LABEL: func.func @slices
// CHECK: repro.loop trips 4 (%[[I:[^ ]+]], %[[G:[^ ]+]] = %{{.+}} : tensor<4x2x3xf32>, %[[S:[^ ]+]] = %arg0
// CHECK: %[[N:[^ ]+]] = repro.scatter add %[[G]], %[[S]][%[[I]]]
// CHECK-NOT: repro.add
// CHECK: repro.yield %[[N]]
func.func @slices(%s0: tensor<2x3xf32>) -> tensor<4x2x3xf32> {
  %zero = repro.constant dense<0.0> : tensor<4x2x3xf32>
  %r:2 = repro.loop trips 4 (%i, %g = %zero : tensor<4x2x3xf32>, %s = %s0 : tensor<2x3xf32>) {
    %zeros = repro.constant dense<0.0> : tensor<4x2x3xf32>
    %u = repro.scatter add %zeros, %s[%i] maps [#slice, #none] bounds zero : tensor<4x2x3xf32>, tensor<2x3xf32>, tensor<i64>
    %n = repro.add %g, %u : tensor<4x2x3xf32>
    %m = repro.neg %s : tensor<2x3xf32>
    repro.yield %n, %m : tensor<4x2x3xf32>, tensor<2x3xf32>
  }
  return %r#0 : tensor<4x2x3xf32>
}

// Two updates of one element: their sum is added to the carried one, not one after the other.
// CHECK-LABEL: func.func @twice
// CHECK: repro.scatter add %{{.+}}, %{{.+}}[%{{.+}}] {{.*}} : tensor<3xf32>, tensor<2xf32>, tensor<2xi64>
// CHECK-NEXT: repro.add
func.func @twice(%s0: tensor<2xf32>, %at: tensor<2xi64>) -> tensor<3xf32> {
  %zero = repro.constant dense<0.0> : tensor<3xf32>
  %r:2 = repro.loop trips 4 (%i, %g = %zero : tensor<3xf32>, %s = %s0 : tensor<2xf32>) invariant (%k = %at : tensor<2xi64>) {
    %zeros = repro.constant dense<0.0> : tensor<3xf32>
    %u = repro.scatter add %zeros, %s[%k] maps [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0) -> (d0)>] bounds zero
      : tensor<3xf32>, tensor<2xf32>, tensor<2xi64>
    %n = repro.add %g, %u : tensor<3xf32>
    %m = repro.sqrt %s : tensor<2xf32>
    repro.yield %n, %m : tensor<3xf32>, tensor<2xf32>
  }
  return %r#0 : tensor<3xf32>
}

// Sums that start from another value, that are read inside, whose term has another order, or of a loop
// with a flag stay as they are.
// CHECK-LABEL: func.func @stays
// CHECK: repro.loop trips 4 (
// CHECK-COUNT-3: repro.contract
// CHECK: repro.loop trips 4 while
// CHECK: repro.contract
// CHECK: repro.yield
// CHECK-NOT: repro.contract
// CHECK: return
func.func @stays(%s0: tensor<1x5xf32>, %xs: tensor<1x3xf32>, %w0: tensor<3x5xf32>, %go: tensor<i1>)
    -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
  %zero = repro.constant dense<0.0> : tensor<3x5xf32>
  %minus = repro.constant dense<-0.0> : tensor<3x5xf32>
  %r:4 = repro.loop trips 4 (%i, %w = %minus : tensor<3x5xf32>, %v = %zero : tensor<3x5xf32>, %u = %zero : tensor<3x5xf32>, %s = %s0 : tensor<1x5xf32>)
      invariant (%a = %xs : tensor<1x3xf32>) {
    %p = repro.contract %a, %s domain <[3, 5, 1], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      order sequential : tensor<1x3xf32>, tensor<1x5xf32> -> tensor<3x5xf32>
    %n = repro.add %w, %p : tensor<3x5xf32>
    %p2 = repro.contract %a, %s domain <[3, 5, 1], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      order sequential : tensor<1x3xf32>, tensor<1x5xf32> -> tensor<3x5xf32>
    %n2 = repro.add %v, %p2 : tensor<3x5xf32>
    %p3 = repro.contract %a, %s domain <[3, 5, 1], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      order lanes<2> : tensor<1x3xf32>, tensor<1x5xf32> -> tensor<3x5xf32>
    %n3 = repro.add %u, %p3 : tensor<3x5xf32>
    %m = repro.slice %v start [0, 0] limit [1, 5] stride [1, 1] : tensor<3x5xf32> to tensor<1x5xf32>
    %m2 = repro.sub %m, %s : tensor<1x5xf32>
    repro.yield %n, %n2, %n3, %m2 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<1x5xf32>
  }
  %f:2 = repro.loop trips 4 while %go (%i, %w = %zero : tensor<3x5xf32>, %s = %s0 : tensor<1x5xf32>)
      invariant (%a = %xs : tensor<1x3xf32>) {
    %no = repro.constant dense<false> : tensor<i1>
    %p = repro.contract %a, %s domain <[3, 5, 1], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      order sequential : tensor<1x3xf32>, tensor<1x5xf32> -> tensor<3x5xf32>
    %n = repro.add %w, %p : tensor<3x5xf32>
    %m = repro.neg %s : tensor<1x5xf32>
    repro.yield %no, %n, %m : tensor<i1>, tensor<3x5xf32>, tensor<1x5xf32>
  }
  return %r#0, %r#1, %r#2, %f#0 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
}
