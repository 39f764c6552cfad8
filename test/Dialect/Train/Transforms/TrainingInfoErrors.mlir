// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-build-step)' --split-input-file --verify-diagnostics
// RUN: not gensyn-opt %s --train-build-step='kind=train recipe={{"clip": {"value": 1.0}}}' --split-input-file 2>&1 | FileCheck %s
// CHECK: recipe: 'clip' is given without a loss and an optimizer, and the model's training_info defines the training step

module {
  // expected-error @+1 {{training_info: the algorithm has no output that is a float number, so there is no loss}}
  func.func @main(%x: tensor<2xf32> {gensyn.name = "x", gensyn.role = "input"}) -> (tensor<2xf32> {gensyn.name = "y"})
      attributes {gensyn.training_info} {
    return %x : tensor<2xf32>
  }
}

// -----

module {
  // expected-error @+1 {{update_binding: 'w' is 'tensor<2xf32>' and would become 'tensor<f32>'}}
  func.func @main(%x: tensor<f32> {gensyn.name = "x", gensyn.role = "input"},
                  %w: tensor<2xf32> {gensyn.name = "w", gensyn.role = "parameter", gensyn.initial = dense<1.0> : tensor<2xf32>})
      -> (tensor<f32> {gensyn.algorithm, gensyn.name = "w1", gensyn.updates = ["w"]}) attributes {gensyn.training_info} {
    return %x : tensor<f32>
  }
}

// -----

module {
  // expected-error @+1 {{update_binding: 'q' is not an initializer}}
  func.func @main(%x: tensor<f32> {gensyn.name = "x", gensyn.role = "input"})
      -> (tensor<f32> {gensyn.algorithm, gensyn.name = "w1", gensyn.updates = ["q"]}) attributes {gensyn.training_info} {
    return %x : tensor<f32>
  }
}
