// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-build-step)' --split-input-file | FileCheck %s --check-prefixes=CHECK,TRAIN
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-build-step{kind=eval})' --split-input-file | FileCheck %s --check-prefixes=CHECK,EVAL

// Initializers of the main graph are parameters, those of the algorithm states,
// what nothing updates constants; all change together (algorithm_r1).
// CHECK: module attributes {gensyn.donated = array<i64:
// TRAIN-SAME: 0, 2, 3, -1, -1>}
// EVAL-SAME: -1, -1>}
// CHECK: func.func @main(
// TRAIN-SAME: %[[W:.+]]: tensor<2xf32> {gensyn.initial = dense<1.0{{.+}}>{{.*}}, gensyn.name = "w", gensyn.role = "parameter"}
// TRAIN-SAME: gensyn.name = "r", gensyn.role = "constant"
// TRAIN-SAME: {gensyn.initial = {fill = 5.000000e-01 : f64}, gensyn.name = "v", gensyn.role = "state"}
// TRAIN-SAME: {gensyn.initial = {fill = 3.000000e+00 : f64}, gensyn.name = "t", gensyn.role = "state"}
// TRAIN-SAME: gensyn.name = "x", gensyn.role = "input"
// TRAIN: %[[NEW:.+]] = repro.sub %[[W]]
// TRAIN: return %[[NEW]], %[[NEW]], %{{.+}}, %[[LOSS:.+]], %{{.+}} : tensor<2xf32>, tensor<2xf32>, tensor<i64>, tensor<f32>, tensor<f32>
// EVAL: return %{{.+}}, %{{.+}} : tensor<2xf32>, tensor<f32>
module {
  func.func @main(
      %x: tensor<2xf32> {gensyn.name = "x", gensyn.role = "input"},
      %w: tensor<2xf32> {gensyn.name = "w", gensyn.role = "parameter", gensyn.initial = dense<1.0> : tensor<2xf32>},
      %r: tensor<f32> {gensyn.algorithm, gensyn.name = "r", gensyn.role = "parameter", gensyn.initial = dense<2.0> : tensor<f32>},
      %v: tensor<2xf32> {gensyn.algorithm, gensyn.name = "v", gensyn.role = "parameter", gensyn.initial = dense<0.5> : tensor<2xf32>},
      %t: tensor<i64> {gensyn.algorithm, gensyn.name = "t", gensyn.role = "constant", gensyn.initial = dense<3> : tensor<i64>})
      -> (tensor<2xf32> {gensyn.name = "y"},
          tensor<f32> {gensyn.algorithm, gensyn.name = "worst"},
          tensor<1xf32> {gensyn.algorithm, gensyn.name = "loss"},
          tensor<2xf32> {gensyn.algorithm, gensyn.name = "w1", gensyn.updates = ["w", "v"]},
          tensor<i64> {gensyn.algorithm, gensyn.name = "t1", gensyn.updates = ["t"]})
      attributes {gensyn.training_info} {
    %y = repro.mul %x, %w : tensor<2xf32>
    %worst = repro.reduce max %y domain <[2], reduce [0]> maps [affine_map<(i) -> (i)>, affine_map<(i) -> ()>] : tensor<2xf32> -> tensor<f32>
    %loss = repro.reshape %worst : tensor<f32> to tensor<1xf32>
    %next = repro.sub %w, %v : tensor<2xf32>
    %more = repro.add %t, %t : tensor<i64>
    return %y, %worst, %loss, %next, %more : tensor<2xf32>, tensor<f32>, tensor<1xf32>, tensor<2xf32>, tensor<i64>
  }
}
