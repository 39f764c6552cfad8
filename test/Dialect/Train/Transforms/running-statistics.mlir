// A tensor that the model assigns to is a state of a training step, frozen or
// not, with its initial value; later reads see the new value (assign_r1). In
// other programs it is a constant.
// RUN: gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "frozen": ["mean"]}}' | FileCheck %s --check-prefix=TRAIN
// RUN: gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "accumulate": 2}}' | FileCheck %s --check-prefix=PARTS
// RUN: gensyn-opt %s --train-build-step='kind=grad recipe={{"loss": {"kind": "mse"}}}' | FileCheck %s --check-prefix=GRAD
// RUN: gensyn-opt %s --train-build-step='kind=infer' | FileCheck %s --check-prefix=INFER
// RUN: sed 's/to %mean/to %x/' %s | not gensyn-opt --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}}}' 2>&1 | FileCheck %s --check-prefix=INPUT

// TRAIN: gensyn.donated = array<i64: 0, 1, -1, -1>
// TRAIN: func.func @main(%[[W:.+]]: tensor<3xf32> {gensyn.name = "w", gensyn.role = "parameter"},
// TRAIN-SAME: %[[M:.+]]: tensor<3xf32> {gensyn.initial = {file = "m", offset = 8 : i64}, gensyn.name = "mean", gensyn.role = "state"}, %[[X:.+]]: tensor<3xf32> {gensyn.name = "x"
// TRAIN-SAME: tensor<3xf32> {gensyn.name = "mean", gensyn.role = "state"}, tensor<f32> {gensyn.name = "loss"
// TRAIN-NOT: train.assign
// TRAIN: %[[A:.+]] = repro.add %[[M]], %[[X]]
// TRAIN: %[[B:.+]] = repro.mul %[[A]], %[[X]]
// TRAIN: return %{{.+}}, %[[B]], %{{.+}}, %{{.+}} :

// Microbatches have it one after the other.
// PARTS: %[[ALL:.+]]:3 = train.accumulate 2 split(%{{.+}}, %{{.+}}) carried(%arg1) shared(%arg0)
// PARTS: ^bb0(%{{.+}}: tensor<i64>, %[[X:[^,]+]]: tensor<3xf32>, %{{[^,]+}}: tensor<3xf32>, %[[M:[^,]+]]: tensor<3xf32>, %{{[^,]+}}: tensor<3xf32>):
// PARTS: repro.add %[[M]], %[[X]]
// PARTS: %[[B:.+]] = repro.mul
// PARTS: train.yield %[[B]],
// PARTS: return %{{.+}}, %[[ALL]]#0,

// GRAD: gensyn.name = "mean", gensyn.role = "constant"
// GRAD-NOT: train.assign
// GRAD: train.gradient %{{.+}} wrt(%arg0, %{{.+}}) :

// INFER-NOT: train.assign
// INFER: return

// INPUT: error: assigns to a value that is not an initializer

func.func @main(%x: tensor<3xf32> {gensyn.name = "x", gensyn.role = "input"},
                %w: tensor<3xf32> {gensyn.name = "w", gensyn.role = "parameter"},
                %mean: tensor<3xf32> {gensyn.name = "mean", gensyn.role = "parameter",
                                      gensyn.initial = {file = "m", offset = 8 : i64}})
    -> (tensor<3xf32> {gensyn.name = "y"}) {
  %a = repro.add %mean, %x : tensor<3xf32>
  train.assign %a to %mean : tensor<3xf32>
  %b = repro.mul %mean, %x : tensor<3xf32>
  train.assign %b to %mean : tensor<3xf32>
  %y = repro.mul %x, %w : tensor<3xf32>
  return %y : tensor<3xf32>
}
