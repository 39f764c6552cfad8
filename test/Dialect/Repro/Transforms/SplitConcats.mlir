// RUN: gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-split-concats{width=3}))' --check-bits=all | FileCheck %s
// RUN: not gensyn-opt %s --pass-pipeline='builtin.module(func.func(repro-split-concats{width=1}))' 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: error: concats of at most 1 operands, expected 2 or more

// CHECK-LABEL: func.func @few
// CHECK-NEXT: %[[Y:.+]] = repro.concat %arg0, %arg1, %arg0 dim 0
// CHECK-NEXT: return %[[Y]]
func.func @few(%a: tensor<2xf32>, %b: tensor<1xf32>) -> tensor<5xf32> {
  %y = repro.concat %a, %b, %a dim 0 : (tensor<2xf32>, tensor<1xf32>, tensor<2xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// Ten in order, as evenly as three at a time go: 2 + 3 + 2 + 3, and of these two and two.
// CHECK-LABEL: func.func @many
// CHECK-NEXT: %[[P0:.+]] = repro.concat %arg0, %arg1 dim 1 : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[P1:.+]] = repro.concat %arg0, %arg1, %arg0 dim 1
// CHECK-NEXT: %[[P2:.+]] = repro.concat %arg1, %arg0 dim 1
// CHECK-NEXT: %[[P3:.+]] = repro.concat %arg1, %arg0, %arg1 dim 1
// CHECK-NEXT: %[[Q0:.+]] = repro.concat %[[P0]], %[[P1]] dim 1
// CHECK-NEXT: %[[Q1:.+]] = repro.concat %[[P2]], %[[P3]] dim 1
// CHECK-NEXT: %[[Y:.+]] = repro.concat %[[Q0]], %[[Q1]] dim 1
// CHECK-NEXT: return %[[Y]]
func.func @many(%a: tensor<2x2xf32>, %b: tensor<2x1xf32>) -> tensor<2x15xf32> {
  %y = repro.concat %a, %b, %a, %b, %a, %b, %a, %b, %a, %b dim 1
    : (tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x15xf32>
  return %y : tensor<2x15xf32>
}
