// Only what a trained parameter needs is computed: no gradient of the inputs, and
// nothing below the lowest parameter that is not frozen.
// RUN: gensyn-opt %s --gensyn-train-pipeline='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}}}' --gensyn-freeze-pipeline | FileCheck %s
// RUN: gensyn-opt %s --gensyn-train-pipeline='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "frozen": ["w1"]}}' --gensyn-freeze-pipeline | FileCheck %s --check-prefix=TOP
// RUN: gensyn-opt %s --gensyn-train-pipeline='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "frozen": ["w2"]}}' --gensyn-freeze-pipeline | FileCheck %s --check-prefix=BOTTOM
// RUN: gensyn-opt %s --gensyn-train-pipeline='kind=grad recipe={{"loss": {"kind": "mse"}}}' --gensyn-freeze-pipeline | FileCheck %s --check-prefix=GRAD

// Forward 2; backward w2, hidden, w1.
// CHECK-COUNT-5: repro.contract
// CHECK-NOT: repro.contract

// Forward 2; w2 alone.
// TOP-COUNT-3: repro.contract
// TOP-NOT: repro.contract

// Forward 2; hidden, w1.
// BOTTOM-COUNT-4: repro.contract
// BOTTOM-NOT: repro.contract

// The input's gradient too, which is asked for here.
// GRAD-COUNT-6: repro.contract
// GRAD-NOT: repro.contract

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<4x6xf32> {gensyn.name = "x", gensyn.role = "input"},
                %w1: tensor<6x5xf32> {gensyn.name = "w1", gensyn.role = "parameter"},
                %w2: tensor<5x3xf32> {gensyn.name = "w2", gensyn.role = "parameter"})
    -> (tensor<4x3xf32> {gensyn.name = "y"}) {
  %h = repro.contract %x, %w1 domain <[4, 5, 6], reduce [2]> maps [#a, #b, #c] bounds [in, in]
      : tensor<4x6xf32>, tensor<6x5xf32> -> tensor<4x5xf32>
  %t = repro.tanh %h : tensor<4x5xf32>
  %y = repro.contract %t, %w2 domain <[4, 3, 5], reduce [2]> maps [#a, #b, #c] bounds [in, in]
      : tensor<4x5xf32>, tensor<5x3xf32> -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}
