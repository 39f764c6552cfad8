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
    Returns the operand, all bits kept; no gradient flows to the operand.
    `train-differentiate` removes the op (gradient_r1).

    ```mlir
    %m = train.stop_gradient %max : tensor<8xf32>
    ```
  }];
  let arguments = (ins Arg<Train_AnyTensor, "the operand">:$operand);
  let results = (outs Res<Train_AnyTensor, "the operand">:$result);
  let constraints = [
    Verified<"", "Operand and result have the same type.", "requires the same type for all operands and results",
             ["stop_gradient_type"]>];
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Train_GradientOp : Train_Op<"gradient"> {
  let summary = "Gradient of a scalar with respect to values";
  let description = [{
    Returns the derivative of `loss` with respect to each value of `wrt`
    (gradient_r1). The loss depends on a value through the ops between them, so a
    rewrite that computes the loss from another value than the listed one changes the
    gradient. If the loss does not depend on a value, the gradient is zero. At a kink
    the derivative is that of gradient_r2.

    ```mlir
    %ga, %gb = train.gradient %loss wrt (%a, %b)
        : (tensor<f32>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<4xf32>, tensor<2x4xf32>)
    ```
  }];
  let arguments = (ins Arg<Train_Scalar, "the value to differentiate">:$loss,
                       Arg<Variadic<Train_FloatTensor>, "the values to differentiate by">:$wrt);
  let results = (outs Res<Variadic<Train_FloatTensor>, "the gradient of each value">:$gradients);
  let constraints = [
    Verified<"", "Each gradient has the type of its value.",
             "gradients do not have the types of the values they are taken with respect to", ["gradient_types"]>];
  let assemblyFormat = "$loss `wrt` `(` $wrt `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Train_UpdateOp : Train_Op<"update", [AttrSizedOperandSegments]> {
  let summary = "Optimizer step of one parameter";
  let description = [{
    Applies `rule` to one parameter and returns the new parameter and its new own
    states. `states` and `shared` are the parameter's own and the shared states
    before the step (optimizer_r1); `train.advance` computes the new shared states.

    ```mlir
    %w1, %v1 = train.update
        #train.sgd<momentum = 0.9, dampening = 0.0, weight_decay = 0.0, nesterov = false>
        of %w, %g rate %lr states (%v)
        : (tensor<4xf32>, tensor<4xf32>, tensor<f64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Arg<Train_FloatTensor, "the parameter">:$parameter,
                       Arg<Train_FloatTensor, "its gradient">:$gradient,
                       Arg<0DTensorOf<[F64]>, "the step size">:$rate,
                       Arg<Variadic<Train_AnyTensor>, "the parameter's own states">:$states,
                       Arg<Variadic<Train_AnyTensor>, "the shared states">:$shared,
                       Arg<Train_OptimizerRuleInterface, "the optimizer">:$rule);
  let results = (outs Res<Train_FloatTensor, "the new parameter">:$newParameter,
                      Res<Variadic<Train_AnyTensor>, "its new own states">:$newStates);
  let constraints = [
    Verified<"", "The gradient and the new parameter have the type of the parameter.",
             "gradient and new parameter do not have the parameter's type ...", ["update_gradient", "update_parameter"]>,
    Verified<"", "The rule accepts the parameter's type: `#train.muon` accepts matrices only.", "parameter is not a matrix, and Muon supports matrices only; add a group with another kind of optimizer for it",
             ["update_c2"]>,
    Verified<"", "There are as many own states as the rule has for the parameter.",
             "has ... states where the rule has ...", ["update_c1"]>,
    Verified<"", "Own states have the types that the rule states.", "states '...' has type ..., not ...",
             ["update_c1_type"]>,
    Verified<"", "There are as many new own states as the rule has for the parameter.",
             "has ... new states where the rule has ...", ["update_c1_new"]>,
    Verified<"", "New own states have the types that the rule states.", "new states '...' has type ..., not ...",
             ["update_c1_new_type"]>,
    Verified<"", "There are as many shared states as the rule has.", "has ... shared states where the rule has ...",
             ["update_c1_shared"]>,
    Verified<"", "Shared states have the types that the rule states.", "shared states '...' has type ..., not ...",
             ["update_c1_shared_type"]>];
  let assemblyFormat = [{
    $rule `of` $parameter `,` $gradient `rate` $rate (`states` `(` $states^ `)`)?
    (`shared` `(` $shared^ `)`)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Train_AdvanceOp : Train_Op<"advance"> {
  let summary = "Optimizer step of the shared states";
  let description = [{
    Returns the shared states of `rule` after a step from those before it
    (optimizer_r1). A program has one such op per step and rule, whatever the number
    of parameters.

    ```mlir
    %n = train.advance
        #train.adagrad<lr_decay = 0.1, weight_decay = 0.0, initial_accumulator_value = 0.0, eps = 1.0e-10>
        of %t : (tensor<f64>) -> tensor<f64>
    ```
  }];
  let arguments = (ins Arg<Variadic<Train_AnyTensor>, "the shared states">:$shared,
                       Arg<Train_OptimizerRuleInterface, "the optimizer">:$rule);
  let results = (outs Res<Variadic<Train_AnyTensor>, "the new shared states">:$newShared);
  let constraints = [
    Verified<"", "There are as many shared states as the rule has.", "has ... shared states where the rule has ...",
             ["advance"]>,
    Verified<"", "Shared states have the types that the rule states.", "shared states '...' has type ..., not ...",
             ["advance_type"]>,
    Verified<"", "There are as many new shared states as the rule has.",
             "has ... new shared states where the rule has ...", ["advance_new"]>,
    Verified<"", "New shared states have the types that the rule states.",
             "new shared states '...' has type ..., not ...", ["advance_new_type"]>];
  let assemblyFormat = "$rule `of` $shared attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

include "gensyn/Dialect/Train/IR/TrainLosses.td"
include "gensyn/Dialect/Train/IR/TrainSchedules.td"
include "gensyn/Dialect/Train/IR/TrainSteps.td"

#endif
