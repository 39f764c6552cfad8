// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-batch-iterations))' --check-bits=all | FileCheck %s

#slice = affine_map<(d0, d1)[s0] -> (s0, d0, d1)>
#none = affine_map<(d0, d1) -> ()>
#row = affine_map<(d0, d1, d2) -> (d0, d2)>
#column = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-DAG: #[[$ROWS:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[$WEIGHT:.+]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-DAG: #[[$RESULT:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// The slices of all iterations are the tensor itself.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ALL:[^ ]+]] = repro.contract %arg1, %arg2 domain <[6, 1, 5, 3], reduce [3]> maps [#[[$ROWS]], #[[$WEIGHT]], #[[$RESULT]]] bounds [in, in] order sequential : tensor<6x1x3xf32>, tensor<3x5xf32> -> tensor<6x1x5xf32>
// CHECK: repro.loop trips 6 (%[[I:[^ ]+]], %{{.+}} = %arg0 : tensor<1x5xf32>) invariant ({{.*}}%[[A:[^ ]+]] = %[[ALL]] : tensor<6x1x5xf32>) {
// CHECK-NEXT: repro.gather %[[A]][%[[I]]]
// CHECK-NOT: repro.contract
// CHECK: return
func.func @forward(%s0: tensor<1x5xf32>, %xs: tensor<6x1x3xf32>, %w: tensor<3x5xf32>) -> tensor<1x5xf32> {
  %r = repro.loop trips 6 (%i, %s = %s0 : tensor<1x5xf32>)
      invariant (%a = %xs : tensor<6x1x3xf32>, %b = %w : tensor<3x5xf32>) {
    %x = repro.gather %a[%i] maps [#slice, #none] bounds zero : tensor<6x1x3xf32>, tensor<i64> -> tensor<1x3xf32>
    %p = repro.contract %x, %b domain <[1, 5, 3], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      order sequential : tensor<1x3xf32>, tensor<3x5xf32> -> tensor<1x5xf32>
    %n = repro.add %s, %p : tensor<1x5xf32>
    repro.yield %n : tensor<1x5xf32>
  }
  return %r : tensor<1x5xf32>
}

// Backwards from the end of four of six slices, as a derivative reads a tape; and what the operand needs.
// CHECK-LABEL: func.func @backward
// CHECK: %[[PART:[^ ]+]] = repro.slice %arg1 start [1, 0, 0] limit [5, 1, 3]
// CHECK: %[[BACK:[^ ]+]] = repro.reverse %[[PART]] dims [0]
// CHECK: %[[T:[^ ]+]] = repro.tanh %[[BACK]] : tensor<4x1x3xf32>
// CHECK: repro.contract %[[T]], %arg2 domain <[4, 1, 5, 3], reduce [3]>
// CHECK: repro.loop trips 4
// CHECK-NOT: repro.contract
// CHECK: return
func.func @backward(%s0: tensor<1x5xf32>, %xs: tensor<6x1x3xf32>, %w: tensor<3x5xf32>) -> tensor<1x5xf32> {
  %r = repro.loop trips 4 (%i, %s = %s0 : tensor<1x5xf32>)
      invariant (%a = %xs : tensor<6x1x3xf32>, %b = %w : tensor<3x5xf32>) {
    %end = repro.constant dense<5> : tensor<i64>
    %one = repro.constant dense<1> : tensor<i64>
    %next = repro.add %i, %one : tensor<i64>
    %at = repro.sub %end, %next : tensor<i64>
    %x = repro.gather %a[%at] maps [#slice, #none] bounds zero : tensor<6x1x3xf32>, tensor<i64> -> tensor<1x3xf32>
    %t = repro.tanh %x : tensor<1x3xf32>
    %p = repro.contract %t, %b domain <[1, 5, 3], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      order sequential : tensor<1x3xf32>, tensor<3x5xf32> -> tensor<1x5xf32>
    %n = repro.add %s, %p : tensor<1x5xf32>
    repro.yield %n : tensor<1x5xf32>
  }
  return %r : tensor<1x5xf32>
}

// Slices beyond the ends are zeros: a gather of all of them. Other movement takes part too.
// CHECK-LABEL: func.func @movement
// CHECK: repro.gather %arg1[%{{.+}}] maps {{.*}} : tensor<6x4x3xf32>, tensor<5xi64> -> tensor<5x4x3xf32>
// CHECK: repro.slice %{{.+}} start [0, 1, 0] limit [5, 2, 3] stride [1, 1, 1]
// CHECK: repro.reshape %{{.+}} : tensor<5x1x3xf32> to tensor<5x3xf32>
// CHECK: repro.broadcast %{{.+}} dims [0, 2] : tensor<5x3xf32> to tensor<5x1x3xf32>
// CHECK: repro.transpose %{{.+}} [0, 2, 1] : tensor<5x1x3xf32> to tensor<5x3x1xf32>
// CHECK: repro.concat %{{.+}}, %{{.+}} dim 2 : (tensor<5x3x1xf32>, tensor<5x3x1xf32>) -> tensor<5x3x2xf32>
// CHECK: repro.contract
// CHECK: repro.loop trips 5
// CHECK-NOT: repro.contract
// CHECK: return
func.func @movement(%s0: tensor<2x5xf32>, %xs: tensor<6x4x3xf32>, %w: tensor<3x5xf32>, %v: tensor<3x1xf32>) -> tensor<2x5xf32> {
  %r = repro.loop trips 5 (%i, %s = %s0 : tensor<2x5xf32>)
      invariant (%a = %xs : tensor<6x4x3xf32>, %b = %w : tensor<3x5xf32>, %c = %v : tensor<3x1xf32>) {
    %two = repro.constant dense<2> : tensor<i64>
    %at = repro.add %i, %two : tensor<i64>
    %x = repro.gather %a[%at] maps [#slice, #none] bounds zero : tensor<6x4x3xf32>, tensor<i64> -> tensor<4x3xf32>
    %y = repro.slice %x start [1, 0] limit [2, 3] stride [1, 1] : tensor<4x3xf32> to tensor<1x3xf32>
    %z = repro.reshape %y : tensor<1x3xf32> to tensor<3xf32>
    %t = repro.broadcast %z dims [1] : tensor<3xf32> to tensor<1x3xf32>
    %u = repro.transpose %t [1, 0] : tensor<1x3xf32> to tensor<3x1xf32>
    %q = repro.concat %u, %c dim 1 : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
    %p = repro.contract %q, %b domain <[2, 5, 3], reduce [2]>
      maps [affine_map<(d0, d1, d2) -> (d2, d0)>, #column, #result] bounds [in, in]
      order sequential : tensor<3x2xf32>, tensor<3x5xf32> -> tensor<2x5xf32>
    %n = repro.add %s, %p : tensor<2x5xf32>
    repro.yield %n : tensor<2x5xf32>
  }
  return %r : tensor<2x5xf32>
}

// A product with the state, one that shares little, and one of a loop with a flag stay.
// CHECK-LABEL: func.func @stays
// CHECK: repro.loop trips 6 (
// CHECK: repro.contract
// CHECK: repro.contract
// CHECK: repro.loop trips 6 while
// CHECK: repro.contract
// CHECK: return
func.func @stays(%s0: tensor<1x3xf32>, %xs: tensor<6x9x3xf32>, %w: tensor<3x3xf32>, %go: tensor<i1>) -> (tensor<1x3xf32>, tensor<9x3xf32>, tensor<9x3xf32>) {
  %zero = repro.constant dense<0.0> : tensor<9x3xf32>
  %r:2 = repro.loop trips 6 (%i, %s = %s0 : tensor<1x3xf32>, %m = %zero : tensor<9x3xf32>)
      invariant (%a = %xs : tensor<6x9x3xf32>, %b = %w : tensor<3x3xf32>) {
    %x = repro.gather %a[%i] maps [#slice, #none] bounds zero : tensor<6x9x3xf32>, tensor<i64> -> tensor<9x3xf32>
    %p = repro.contract %s, %b domain <[1, 3, 3], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      order sequential : tensor<1x3xf32>, tensor<3x3xf32> -> tensor<1x3xf32>
    %q = repro.contract %x, %b domain <[9, 3, 3], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      order sequential : tensor<9x3xf32>, tensor<3x3xf32> -> tensor<9x3xf32>
    %n = repro.max %m, %q : tensor<9x3xf32>
    repro.yield %p, %n : tensor<1x3xf32>, tensor<9x3xf32>
  }
  %f = repro.loop trips 6 while %go (%i, %m = %zero : tensor<9x3xf32>)
      invariant (%a = %xs : tensor<6x9x3xf32>, %b = %w : tensor<3x3xf32>) {
    %no = repro.constant dense<false> : tensor<i1>
    %x = repro.gather %a[%i] maps [#slice, #none] bounds zero : tensor<6x9x3xf32>, tensor<i64> -> tensor<9x3xf32>
    %q = repro.contract %x, %b domain <[9, 3, 3], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      order sequential : tensor<9x3xf32>, tensor<3x3xf32> -> tensor<9x3xf32>
    %n = repro.max %m, %q : tensor<9x3xf32>
    repro.yield %no, %n : tensor<i1>, tensor<9x3xf32>
  }
  return %r#0, %r#1, %f : tensor<1x3xf32>, tensor<9x3xf32>, tensor<9x3xf32>
}
