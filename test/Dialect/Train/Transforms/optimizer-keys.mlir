// The optimizers of recipes. An option's outermost braces only quote it.
// DEFINE: %{kind} =
// DEFINE: %{build} = gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {%{kind}}}}'
// DEFINE: %{refuse} = not %{build} 2>&1

// Null is PyTorch's None, and what only chooses a kernel is read over.
// REDEFINE: %{kind} = "kind": "Adam", "decoupled_weight_decay": true, "weight_decay": 0.5, "maximize": true, "foreach": null, "fused": true, "capturable": false, "differentiable": false
// RUN: %{build} | FileCheck %s --check-prefix=ADAM
// ADAM: train.update #train.maximize<#train.adamw<beta1 = 9.000000e-01, beta2 = 0.99899999999999999, eps = 1.000000e-08, weight_decay = 5.000000e-01, amsgrad = false>>

// REDEFINE: %{kind} = "kind": "Adafactor", "eps": [null, 0.25], "lr": null
// RUN: %{build} | FileCheck %s --check-prefix=ADAFACTOR
// ADAFACTOR: repro.constant dense<1.000000e-02> : tensor<f64>
// ADAFACTOR: train.update #train.adafactor<beta2_decay = -8.000000e-01, eps1 = -1.000000e+00, eps2 = 2.500000e-01, d = 1.000000e+00, weight_decay = 0.000000e+00>

// REDEFINE: %{kind} = "kind": "AdamW", "groups": [{"match": "w", "kind": "Muon", "adjust_lr_fn": "spectral_unclamped"}]
// RUN: %{build} | FileCheck %s --check-prefix=MUON
// MUON-DAG: train.update #train.muon<weight_decay = 1.000000e-01, momentum = 0.94999999999999996, nesterov = true, a = 3.444500e+00, b = -4.775000e+00, c = 2.031500e+00, eps = 9.9999999999999995E-8, ns_steps = 5, adjust_lr_fn = spectral_unclamped>
// MUON-DAG: train.update #train.adamw

// REDEFINE: %{kind} = "kind": "Muon"
// RUN: %{refuse} | FileCheck %s --check-prefix=MATRIX
// MATRIX: error: recipe: optimizer: parameter 'b' is not a matrix, and Muon supports matrices only; add a group with another kind of optimizer for it

// REDEFINE: %{kind} = "kind": "Muon", "ns_coefficients": [1, 2]
// RUN: %{refuse} | FileCheck %s --check-prefix=COEFFICIENTS
// COEFFICIENTS: error: recipe: optimizer: 'ns_coefficients' is not a list of three numbers

// REDEFINE: %{kind} = "kind": "RAdam", "differentiable": true
// RUN: %{refuse} | FileCheck %s --check-prefix=DIFFERENTIABLE
// DIFFERENTIABLE: error: recipe: optimizer: 'differentiable' is not supported: no gradient goes through an update

// REDEFINE: %{kind} = "kind": "AdamW", "decoupled_weight_decay": false
// RUN: %{refuse} | FileCheck %s --check-prefix=DECOUPLED
// DECOUPLED: error: recipe: optimizer: 'decoupled_weight_decay' is true in AdamW; Adam can do without

// REDEFINE: %{kind} = "kind": "Adadelta", "rho": 1.5
// RUN: %{refuse} | FileCheck %s --check-prefix=RHO
// RHO: error: recipe: optimizer: 'rho' is 1.5

func.func @main(%x: tensor<2x3xf32> {gensyn.name = "x", gensyn.role = "input"},
                %w: tensor<3x4xf32> {gensyn.name = "w", gensyn.role = "parameter"},
                %b: tensor<4xf32> {gensyn.name = "b", gensyn.role = "parameter"})
    -> (tensor<2x4xf32> {gensyn.name = "y"}) {
  %0 = repro.contract %x, %w domain <[2, 4, 3], reduce [2]>
      maps [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
      bounds [in, in] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  %1 = repro.broadcast %b dims [1] : tensor<4xf32> to tensor<2x4xf32>
  %2 = repro.add %0, %1 : tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
