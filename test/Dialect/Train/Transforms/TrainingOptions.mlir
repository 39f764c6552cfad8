// Each line of errors is one, names the recipe's part, and is followed by nothing.
// RUN: not gensyn-opt %s --train-build-step='kind=test' 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss":}}' 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": 3}}' 2>&1 | FileCheck %s --check-prefix=OBJECT
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse"}, "optimiser": {}}}' 2>&1 | FileCheck %s --check-prefix=RECIPE-KEY
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse"}, "clip": 7}}' 2>&1 | FileCheck %s --check-prefix=CLIP
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "msee"}}}' 2>&1 | FileCheck %s --check-prefix=LOSS
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse"}}}' 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse", "prediction": "z"}}}' 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse", "prediction": "y", "target": "x"}}}' 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "softmax_cross_entropy", "logits": "y", "axis": 1}}}' 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse", "prediction": "i"}}}' 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "graph_output", "output": "y"}}} kind=grad' 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse", "prediction": "y", "axis": 0}}} kind=grad' 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse", "prediction": "y", "reduction": "max"}}} kind=grad' 2>&1 | FileCheck %s --check-prefix=REDUCTION
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse", "prediction": "y"}}}' 2>&1 | FileCheck %s --check-prefix=NO-OPTIMIZER
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse", "prediction": "y"}, "optimizer": {"kind": "SGD", "betas": [0.5, 0.5]}}}' 2>&1 | FileCheck %s --check-prefix=OPTIMIZER-KEY
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse", "prediction": "y"}, "optimizer": {"kind": "SGD", "lr": "fast"}}}' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse", "prediction": "y"}, "optimizer": {"kind": "SGD", "learning_rate": 1}}}' 2>&1 | FileCheck %s --check-prefix=NEAREST
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse", "prediction": "y"}, "optimizer": {"kind": "SGD", "group": []}}}' 2>&1 | FileCheck %s --check-prefix=GROUPS
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse", "prediction": "y"}, "optimizer": {"kind": "Addam"}}}' 2>&1 | FileCheck %s --check-prefix=RULE
// RUN: not gensyn-opt %s --train-build-step='recipe={{"loss": {"kind": "mse", "prediction": "y"}, "optimizer": {"kind": "Adam", "betas": [0.5, 1.0]}}}' 2>&1 | FileCheck %s --check-prefix=RANGE

// KIND: error: unknown kind 'test' of program, known are infer, eval, grad, train
// JSON: error: recipe: the recipe is not JSON: parse error at line 1, column 9: {{.*}}
// OBJECT: error: recipe: loss: a JSON object is wanted, number is there
// RECIPE-KEY: error: recipe: key 'optimiser' is not known; the nearest known one is 'optimizer'
// RECIPE-KEY: note: known are {{.*}}'loss', {{.*}}'optimizer'
// CLIP: error: recipe: 'clip' is not an object
// LOSS: error: recipe: loss: loss 'msee' is not known; the nearest known one is 'mse'
// LOSS: note: known are 'softmax_cross_entropy', {{.*}}'mse', 
// OUTPUT: error: recipe: loss: 'prediction' has to name one of the outputs 'y', 'i'
// NAME: error: recipe: loss: no graph output is called 'z', there are 'y', 'i'
// TARGET: error: recipe: loss: the target's name 'x' is taken by a tensor of the graph
// AXIS: error: recipe: loss: axis 1 is out of range for rank 1
// TYPE: error: recipe: loss: the output has type 'tensor<4xi64>', no loss is taken of that
// SCALAR: error: recipe: loss: the output is not a scalar but 'tensor<4xf32>'
// KEY: error: recipe: loss: key 'axis' is not known
// KEY: note: known are 'kind', 'prediction', 'reduction', 'target'
// REDUCTION: error: recipe: loss: reduction 'max' is not known
// REDUCTION: note: known are 'mean', 'sum'
// NO-OPTIMIZER: error: recipe: optimizer: no 'kind'
// OPTIMIZER-KEY: error: recipe: optimizer: key 'betas' is not known
// OPTIMIZER-KEY: note: known are {{.*}}'lr'{{.*}}'momentum', 'nesterov', 'weight_decay'
// NUMBER: error: recipe: optimizer: 'lr' is "fast"; a number of at least 0 is wanted
// NEAREST: error: recipe: optimizer: key 'learning_rate' is not known; the nearest known one is 'lr'
// GROUPS: error: recipe: optimizer: key 'group' is not known; the nearest known one is 'groups'
// RULE: error: recipe: optimizer: optimizer 'Addam' is not known; the nearest known one is 'Adam'
// RANGE: error: recipe: optimizer: 'betas' is [0.5,1]; a list of two, each a number of at least 0 and below 1, is wanted

func.func @main(%x: tensor<4xf32> {gensyn.name = "x", gensyn.role = "input"},
                %w: tensor<4xf32> {gensyn.name = "w", gensyn.role = "parameter"},
                %n: tensor<4xi64> {gensyn.name = "n", gensyn.role = "input"})
    -> (tensor<4xf32> {gensyn.name = "y"}, tensor<4xi64> {gensyn.name = "i"}) {
  %y = repro.mul %x, %w : tensor<4xf32>
  return %y, %n : tensor<4xf32>, tensor<4xi64>
}
