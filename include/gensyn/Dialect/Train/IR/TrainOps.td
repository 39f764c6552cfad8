//===- TrainOps.td - losses, gradients, updates -----------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINOPS_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINOPS_TD

include "gensyn/Dialect/Train/IR/TrainAttributes.td"
include "gensyn/Dialect/Train/IR/TrainMatrixRules.td"
include "gensyn/Dialect/Train/IR/TrainMomentRules.td"

def Train_StopGradientOp : Train_Op<"stop_gradient", [SameOperandsAndResultType,
    DeclareOpInterfaceMethods<Repro_ReferenceOpInterface>,
    DeclareOpInterfaceMethods<Repro_DifferentiableOpInterface>]> {
  let summary = "Identity that stops gradients";
  let description = [{
    Keeps bits. `train-differentiate` removes it.

    ```mlir
    %m = train.stop_gradient %max : tensor<8xf32>
    ```
  }];
  let arguments = (ins Train_AnyTensor:$operand);
  let results = (outs Train_AnyTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Train_GradientOp : Train_Op<"gradient"> {
  let summary = "Derivative of a scalar with respect to values";
  let description = [{
    One gradient for each value of `wrt`, with its type. The loss depends on a
    value through the ops between them: a value is what it is, so a rewrite that
    computes the loss from another value than the listed one changes the
    gradient. Where the loss does not depend on a value the gradient is zero.

    ```mlir
    %ga, %gb = train.gradient %loss wrt (%a, %b)
        : (tensor<f32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<4xf32>, tensor<2x4xf32>)
    ```
  }];
  let arguments = (ins Train_Scalar:$loss, Variadic<Train_FloatTensor>:$wrt);
  let results = (outs Variadic<Train_FloatTensor>:$gradients);
  let assemblyFormat = "$loss `wrt` `(` $wrt `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Train_UpdateOp : Train_Op<"update", [AttrSizedOperandSegments]> {
  let summary = "A parameter and its states after one step of an optimizer";
  let description = [{
    `rate` is the step size, which a schedule may change from step to step.
    `states` are the parameter's own ones, `shared` those that all parameters
    share, all as before the step; their number and types are the rule's
    (update_c1). Results are the new parameter and its new own states;
    `train.advance` has the new shared ones.

    ```mlir
    %w1, %v1 = train.update
        #train.sgd<momentum = 0.9, dampening = 0.0, weight_decay = 0.0, nesterov = false>
        of %w, %g rate %lr states (%v)
        : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Train_FloatTensor:$parameter, Train_FloatTensor:$gradient,
                       0DTensorOf<[F64]>:$rate, Variadic<Train_AnyTensor>:$states, Variadic<Train_AnyTensor>:$shared,
                       Train_OptimizerRuleInterface:$rule);
  let results = (outs Train_FloatTensor:$newParameter, Variadic<Train_AnyTensor>:$newStates);
  let assemblyFormat = [{
    $rule `of` $parameter `,` $gradient `rate` $rate (`states` `(` $states^ `)`)?
    (`shared` `(` $shared^ `)`)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Train_AdvanceOp : Train_Op<"advance"> {
  let summary = "The shared states of an optimizer after one step";
  let description = [{
    Once a step, whatever the number of parameters.

    ```mlir
    %n = train.advance
        #train.adagrad<lr_decay = 0.1, weight_decay = 0.0, initial_accumulator_value = 0.0, eps = 1.0e-10>
        of %t : (tensor<f64>) -> tensor<f64>
    ```
  }];
  let arguments = (ins Variadic<Train_AnyTensor>:$shared, Train_OptimizerRuleInterface:$rule);
  let results = (outs Variadic<Train_AnyTensor>:$newShared);
  let assemblyFormat = "$rule `of` $shared attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

include "gensyn/Dialect/Train/IR/TrainLosses.td"
include "gensyn/Dialect/Train/IR/TrainSchedules.td"
include "gensyn/Dialect/Train/IR/TrainSteps.td"

#endif
