// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-transpose-invariants))' --check-bits=all | FileCheck %s

#row = affine_map<(d0, d1, d2) -> (d0, d2)>
#column = affine_map<(d0, d1, d2) -> (d1, d2)>
#straight = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-DAG: #[[$ROW:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$STRAIGHT:.+]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$RESULT:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func.func @product
// CHECK: %[[T:[^ ]+]] = repro.transpose %arg1 [1, 0] : tensor<5x5xf32> to tensor<5x5xf32>
// CHECK: repro.loop trips 11 (%{{.+}}, %[[S:[^ ]+]] = %arg0 : tensor<2x5xf32>) invariant ({{.*}}%[[W:[^ ]+]] = %[[T]] : tensor<5x5xf32>)
// CHECK: repro.contract %[[S]], %[[W]] domain <[2, 5, 5], reduce [2]> maps [#[[$ROW]], #[[$STRAIGHT]], #[[$RESULT]]]
func.func @product(%x: tensor<2x5xf32>, %w: tensor<5x5xf32>) -> tensor<2x5xf32> {
  %r = repro.loop trips 11 (%i, %s = %x : tensor<2x5xf32>) invariant (%a = %w : tensor<5x5xf32>) {
    %n = repro.contract %s, %a domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
    repro.yield %n : tensor<2x5xf32>
  }
  return %r : tensor<2x5xf32>
}

// Too few iterations; an operand that lies as it should.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: repro.transpose
// CHECK: return
func.func @stays(%x: tensor<2x5xf32>, %w: tensor<5x5xf32>) -> tensor<2x5xf32> {
  %q = repro.loop trips 10 (%i, %s = %x : tensor<2x5xf32>) invariant (%a = %w : tensor<5x5xf32>) {
    %n = repro.contract %s, %a domain <[2, 5, 5], reduce [2]> maps [#row, #column, #result] bounds [in, in]
      order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
    repro.yield %n : tensor<2x5xf32>
  }
  %r = repro.loop trips 11 (%i, %s = %q : tensor<2x5xf32>) invariant (%a = %w : tensor<5x5xf32>) {
    %n = repro.contract %s, %a domain <[2, 5, 5], reduce [2]> maps [#row, #straight, #result] bounds [in, in]
      order sequential : tensor<2x5xf32>, tensor<5x5xf32> -> tensor<2x5xf32>
    repro.yield %n : tensor<2x5xf32>
  }
  return %r : tensor<2x5xf32>
}
