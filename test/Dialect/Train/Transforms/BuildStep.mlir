// An option's outermost braces only quote it, hence the double ones.
// RUN: gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "softmax_cross_entropy", "logits": "logits", "ignore_index": -100}, "optimizer": {"kind": "Adam", "lr": 0.5, "betas": [0.5, 0.75]}}}' | FileCheck %s --check-prefix=TRAIN
// RUN: gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "momentum": 0.9}, "frozen": ["w*"], "epochs": 3}}' | FileCheck %s --check-prefix=FROZEN
// RUN: gensyn-opt %s --train-build-step='kind=grad recipe={{"loss": {"kind": "huber", "delta": 2, "target": "y"}}}' | FileCheck %s --check-prefix=GRAD
// RUN: gensyn-opt %s --train-build-step='kind=eval recipe={{"loss": {"kind": "bce_with_logits", "reduction": "sum"}, "optimizer": {"kind": "SGD"}}}' | FileCheck %s --check-prefix=EVAL
// RUN: gensyn-opt %s --pass-pipeline='builtin.module(train-build-step{kind=infer})' | FileCheck %s --check-prefix=INFER

// Parameters come first, then constants, states, inputs and the target. What
// the loss does not see is a constant, not a parameter.
// TRAIN: module attributes {gensyn.donated = array<i64: 0, 1, 4, 5, 6, 7, 8, 9, -1, -1>}
// TRAIN-LABEL: func.func @main(
// TRAIN-SAME: %[[W:.+]]: tensor<2x3xf32> {gensyn.initial = {file = "m.data", offset = 0 : i64}, gensyn.name = "w", gensyn.role = "parameter"},
// TRAIN-SAME: %[[B:.+]]: tensor<2x3xf32> {gensyn.name = "b", gensyn.role = "parameter"},
// TRAIN-SAME: %{{.+}}: tensor<3xi64> {gensyn.name = "ids", gensyn.role = "constant"},
// TRAIN-SAME: %{{.+}}: tensor<2x3xf32> {gensyn.name = "unused", gensyn.role = "constant"},
// TRAIN-SAME: %[[P1:.+]]: tensor<f64> {gensyn.initial = {fill = 1.000000e+00 : f64}, gensyn.name = "optimizer.beta1_power", gensyn.role = "state"},
// TRAIN-SAME: %[[P2:.+]]: tensor<f64> {gensyn.initial = {fill = 1.000000e+00 : f64}, gensyn.name = "optimizer.beta2_power", gensyn.role = "state"},
// TRAIN-SAME: %[[WM:.+]]: tensor<2x3xf32> {gensyn.initial = {fill = 0.000000e+00 : f64}, gensyn.name = "w.exp_avg", gensyn.role = "state"},
// TRAIN-SAME: %[[WV:.+]]: tensor<2x3xf32> {gensyn.initial = {fill = 0.000000e+00 : f64}, gensyn.name = "w.exp_avg_sq", gensyn.role = "state"},
// TRAIN-SAME: %[[BM:.+]]: tensor<2x3xf32> {gensyn.initial = {fill = 0.000000e+00 : f64}, gensyn.name = "b.exp_avg", gensyn.role = "state"},
// TRAIN-SAME: %[[BV:.+]]: tensor<2x3xf32> {gensyn.initial = {fill = 0.000000e+00 : f64}, gensyn.name = "b.exp_avg_sq", gensyn.role = "state"},
// TRAIN-SAME: %[[X:.+]]: tensor<2x3xf32> {gensyn.name = "x", gensyn.role = "input"},
// TRAIN-SAME: %[[T:.+]]: tensor<2xi64> {gensyn.name = "target", gensyn.role = "target"})
// TRAIN-SAME: -> (tensor<2x3xf32> {gensyn.name = "w", gensyn.role = "parameter"}, tensor<2x3xf32> {gensyn.name = "b", gensyn.role = "parameter"},
// TRAIN-SAME: tensor<f64> {gensyn.name = "optimizer.beta1_power", gensyn.role = "state"}, tensor<f64> {gensyn.name = "optimizer.beta2_power", gensyn.role = "state"},
// TRAIN-SAME: tensor<2x3xf32> {gensyn.name = "w.exp_avg", gensyn.role = "state"}, tensor<2x3xf32> {gensyn.name = "w.exp_avg_sq", gensyn.role = "state"},
// TRAIN-SAME: tensor<2x3xf32> {gensyn.name = "b.exp_avg", gensyn.role = "state"}, tensor<2x3xf32> {gensyn.name = "b.exp_avg_sq", gensyn.role = "state"},
// TRAIN-SAME: tensor<f32> {gensyn.name = "loss", gensyn.role = "loss"}, tensor<f64> {gensyn.name = "lr", gensyn.role = "metric"})
// TRAIN: %[[WX:.+]] = repro.mul %[[X]], %[[W]]
// TRAIN: %[[Y:.+]] = repro.add %[[WX]], %[[B]]
// TRAIN: %[[L:.+]] = train.softmax_cross_entropy %[[Y]], %[[T]] reduction mean {ignore_index = -100 : i64}
// TRAIN: %[[G:.+]]:2 = train.gradient %[[L]] wrt(%[[W]], %[[B]])
// TRAIN: %[[LR:.+]] = repro.constant dense<5.000000e-01> : tensor<f64>
// TRAIN: %[[N:.+]]:2 = train.advance #train.adam<beta1 = 5.000000e-01, beta2 = 7.500000e-01, eps = 1.000000e-08, weight_decay = 0.000000e+00, amsgrad = false> of %[[P1]], %[[P2]]
// TRAIN: %[[W1:.+]], %[[WS:.+]]:2 = train.update #train.adam{{.*}} of %[[W]], %[[G]]#0 rate %[[LR]] states(%[[WM]], %[[WV]]) shared(%[[P1]], %[[P2]])
// TRAIN: %[[B1:.+]], %[[BS:.+]]:2 = train.update #train.adam{{.*}} of %[[B]], %[[G]]#1 rate %[[LR]] states(%[[BM]], %[[BV]]) shared(%[[P1]], %[[P2]])
// TRAIN: return %[[W1]], %[[B1]], %[[N]]#0, %[[N]]#1, %[[WS]]#0, %[[WS]]#1, %[[BS]]#0, %[[BS]]#1, %[[L]], %[[LR]]

// The velocity starts at -0, so that the first step's is the gradient.
// FROZEN: gensyn.donated = array<i64: 0, 4, -1, -1>
// FROZEN-LABEL: func.func @main(
// FROZEN-SAME: gensyn.name = "b", gensyn.role = "parameter"}
// FROZEN-SAME: gensyn.name = "w", gensyn.role = "constant"}
// FROZEN-SAME: {gensyn.initial = {fill = -0.000000e+00 : f64}, gensyn.name = "b.momentum_buffer", gensyn.role = "state"}
// FROZEN-SAME: tensor<2x3xf32> {gensyn.name = "target", gensyn.role = "target"})
// FROZEN: train.mse %{{.+}}, %{{.+}} reduction mean
// FROZEN: train.update #train.sgd<momentum = 9.000000e-01, dampening = 0.000000e+00, weight_decay = 0.000000e+00, nesterov = false>

// GRAD: gensyn.donated = array<i64: -1, -1, -1, -1, -1>
// GRAD-LABEL: func.func @main(
// GRAD-SAME: gensyn.name = "unused", gensyn.role = "parameter"}
// GRAD-SAME: tensor<2x3xf32> {gensyn.name = "y", gensyn.role = "target"})
// GRAD-SAME: -> (tensor<f32> {gensyn.name = "loss", gensyn.role = "loss"}, tensor<2x3xf32> {gensyn.name = "w", gensyn.role = "output"},
// GRAD-SAME: tensor<2x3xf32> {gensyn.name = "b", gensyn.role = "output"}, tensor<2x3xf32> {gensyn.name = "unused", gensyn.role = "output"},
// GRAD-SAME: tensor<2x3xf32> {gensyn.name = "x", gensyn.role = "output"})
// GRAD: %[[L:.+]] = train.huber {{.*}} {delta = 2.000000e+00 : f64}
// GRAD: %[[G:.+]]:4 = train.gradient %[[L]]
// GRAD: return %[[L]], %[[G]]#0, %[[G]]#1, %[[G]]#2, %[[G]]#3

// EVAL-LABEL: func.func @main(
// EVAL-SAME: -> (tensor<2x3xf32> {gensyn.name = "logits", gensyn.role = "output"}, tensor<f32> {gensyn.name = "loss", gensyn.role = "loss"})
// EVAL: %[[Y:.+]] = repro.add
// EVAL: %[[L:.+]] = train.bce_with_logits %[[Y]], %{{.+}} reduction sum
// EVAL: return %[[Y]], %[[L]]

// INFER-LABEL: func.func @main(%arg0: tensor<2x3xf32> {gensyn.name = "x", gensyn.role = "input"}
// INFER-SAME: -> (tensor<2x3xf32> {gensyn.name = "logits"})
// INFER-NOT: train.

func.func @main(%x: tensor<2x3xf32> {gensyn.name = "x", gensyn.role = "input"},
                %n: tensor<3xi64> {gensyn.name = "ids", gensyn.role = "constant"},
                %w: tensor<2x3xf32> {gensyn.name = "w", gensyn.role = "parameter", gensyn.initial = {file = "m.data", offset = 0 : i64}},
                %b: tensor<2x3xf32> {gensyn.name = "b", gensyn.role = "parameter"},
                %u: tensor<2x3xf32> {gensyn.name = "unused", gensyn.role = "parameter"})
    -> (tensor<2x3xf32> {gensyn.name = "logits"}) {
  %0 = repro.mul %x, %w : tensor<2x3xf32>
  %1 = repro.add %0, %b : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
