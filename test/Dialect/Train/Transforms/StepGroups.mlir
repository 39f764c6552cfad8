// The first group that matches has the parameter; each distinct rule has its own
// shared states; a group with another kind has nothing of the optimizer's.
// RUN: gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "AdamW", "lr": 0.5, "eps": 0.25, "groups": [{"match": "*.bias", "weight_decay": 0}, {"match": ["n.*", "?.bias"], "lr": 0.125, "weight_decay": 0}, {"match": "c*", "kind": "SGD"}]}}}' | FileCheck %s
// RUN: not gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "groups": [{"match": ["a*", "b*"]}]}}}' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD"}, "frozen": ["a.weight", "d"]}}' 2>&1 | FileCheck %s --check-prefix=FROZEN
// RUN: not gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "groups": [{"lr": 1}]}}}' 2>&1 | FileCheck %s --check-prefix=MATCH
// RUN: not gensyn-opt %s --train-build-step='kind=train recipe={{"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "groups": [{"match": "*", "lrr": 1}]}}}' 2>&1 | FileCheck %s --check-prefix=KEY

// NONE: error: recipe: optimizer: groups[0]: 'match': 'b*' fits no trained parameter; there are 4: 'a.weight', 'a.bias', 'n.weight', 'c'
// FROZEN: error: recipe: 'frozen': 'd' fits no weight of the model; there are 4: 'a.weight', 'a.bias', 'n.weight', 'c'
// MATCH: error: recipe: optimizer: groups[0]: 'match' has no pattern
// KEY: error: recipe: optimizer: groups[0]: key 'lrr' is not known

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[P1:[^:]+]]: tensor<f64> {{{[^}]+}}}, gensyn.name = "optimizer.beta1_power"
// CHECK-SAME: %[[P2:[^:]+]]: tensor<f64> {{{[^}]+}}}, gensyn.name = "optimizer.beta2_power"
// CHECK-SAME: %[[Q1:[^:]+]]: tensor<f64> {{{[^}]+}}}, gensyn.name = "optimizer.1.beta1_power"
// CHECK-SAME: %[[Q2:[^:]+]]: tensor<f64> {{{[^}]+}}}, gensyn.name = "optimizer.1.beta2_power"
// CHECK: %[[LR:.+]] = repro.constant dense<5.000000e-01> : tensor<f64>
// CHECK: %[[LR1:.+]] = repro.constant dense<5.000000e-01> : tensor<f64>
// CHECK: %[[LR2:.+]] = repro.constant dense<1.250000e-01> : tensor<f64>
// CHECK: %[[LR3:.+]] = repro.constant dense<1.000000e-03> : tensor<f64>
// CHECK: train.advance #train.adamw<{{.*}}weight_decay = 1.000000e-02{{.*}}> of %[[P1]], %[[P2]]
// CHECK: train.advance #train.adamw<{{.*}}weight_decay = 0.000000e+00{{.*}}> of %[[Q1]], %[[Q2]]
// CHECK-NOT: train.advance
// CHECK: train.update #train.adamw<{{.*}}eps = 2.500000e-01, weight_decay = 1.000000e-02{{.*}}> of %arg0, %{{.+}} rate %[[LR]] {{.*}} shared(%[[P1]], %[[P2]])
// CHECK: train.update #train.adamw<{{.*}}eps = 2.500000e-01, weight_decay = 0.000000e+00{{.*}}> of %arg1, %{{.+}} rate %[[LR1]] {{.*}} shared(%[[Q1]], %[[Q2]])
// CHECK: train.update #train.adamw<{{.*}}weight_decay = 0.000000e+00{{.*}}> of %arg2, %{{.+}} rate %[[LR2]] {{.*}} shared(%[[Q1]], %[[Q2]])
// CHECK: train.update #train.sgd<{{.*}}> of %arg3, %{{.+}} rate %[[LR3]] :
// CHECK: return {{.*}}, %[[LR]] :

func.func @main(%x: tensor<3xf32> {gensyn.name = "x", gensyn.role = "input"},
                %w: tensor<3xf32> {gensyn.name = "a.weight", gensyn.role = "parameter"},
                %b: tensor<3xf32> {gensyn.name = "a.bias", gensyn.role = "parameter"},
                %n: tensor<3xf32> {gensyn.name = "n.weight", gensyn.role = "parameter"},
                %c: tensor<3xf32> {gensyn.name = "c", gensyn.role = "parameter"})
    -> (tensor<3xf32> {gensyn.name = "y"}) {
  %0 = repro.mul %x, %w : tensor<3xf32>
  %1 = repro.add %0, %b : tensor<3xf32>
  %2 = repro.mul %1, %n : tensor<3xf32>
  %3 = repro.mul %2, %c : tensor<3xf32>
  return %3 : tensor<3xf32>
}
