// Schedules that count epochs: the number of epochs is a state.
// DEFINE: %{schedule} =
// DEFINE: %{build} = gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": 0.5}, "schedule": {%{schedule}}}}'
// DEFINE: %{refuse} = not %{build} 2>&1

// REDEFINE: %{schedule} = "kind": "inverse_sqrt", "timescale": 2, "interval": "epoch"
// RUN: %{build} | FileCheck %s
// CHECK: func.func @main
// CHECK-SAME: %[[EPOCH:[a-z0-9]+]]: tensor<i64> {{{.*}}gensyn.initial = {fill = 0.000000e+00 : f64}, gensyn.name = "schedule.epoch"
// CHECK: %[[S:.+]] = repro.convert %[[EPOCH]] : tensor<i64> to tensor<f64>
// CHECK: repro.div %[[S]],

// REDEFINE: %{schedule} = "kind": "inverse_sqrt", "timescale": 2, "interval": "step"
// RUN: %{build} | FileCheck %s --check-prefix=STEP --implicit-check-not=schedule.epoch
// STEP: gensyn.step

// REDEFINE: %{schedule} = "kind": "reduce_on_plateau", "interval": "epoch"
// RUN: %{build} | FileCheck %s --check-prefix=PLATEAU --implicit-check-not=schedule.epoch
// PLATEAU: "schedule.factor"

// REDEFINE: %{schedule} = "kind": "reduce_on_plateau", "interval": "step"
// RUN: %{refuse} | FileCheck %s --check-prefix=METRIC
// METRIC: error: recipe: schedule: 'interval' is 'step', but metrics are those of epochs

// REDEFINE: %{schedule} = "kind": "inverse_sqrt", "interval": "epochs"
// RUN: %{refuse} | FileCheck %s --check-prefix=WORD
// WORD: error: recipe: schedule: interval 'epochs' is not known; the nearest known one is 'epoch'

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
