//===- TrainAttributes.td - optimizers --------------------------*- tablegen -*-===//
//
// Formulas, defaults and order of evaluation are torch.optim's. Hyperparameters
// are f64, as Python's are; they are rounded to the parameter's type once, where
// a PyTorch kernel takes them (optimizer_r1).
//
// The step size lr is not part of a rule: it is an operand of train.update, as a
// schedule may compute it.
//
// Values that depend on the number of the step (1 - beta^t, lr / (1 + t * lr_decay))
// are computed in f64 as PyTorch's Python code does, from shared f64 states. beta^t
// is a state that is multiplied by beta at each step and not pow(beta, t): a
// product is one rounded operation with the same bits everywhere, where an f64
// power would be a whole algorithm; after t steps it is off by at most t * 2^-53
// of itself. f64 because beta2^t near 1 must keep its difference from 1, which
// f32 would lose in the first thousand steps.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINATTRIBUTES_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINATTRIBUTES_TD

include "gensyn/Dialect/Train/IR/TrainBase.td"

// An f64 that prints as a plain number and reads back to the same bits.
class Train_Number<string text> : AttrParameter<"::mlir::FloatAttr", text> {
  let parser = "::gensyn::train::parseNumber($_parser)";
  let printer = "$_printer.printAttributeWithoutType($_self)";
}
class Train_Flag<string text> : AttrParameter<"::mlir::BoolAttr", text>;

// Where `eps` is added: where PyTorch adds it, or where TensorFlow and Keras do.
// Prints only where it is set.
def Train_TensorFlowEps : DefaultValuedParameter<"bool", "false", "`eps` is added where TensorFlow adds it">;

// Constraints on a number `name` of the attribute `owner`; tests are called
// <owner>_<name>.
class Train_NotNegative<string owner, string name>
    : Verified<"", "`" # name # "` is finite and at least 0.", name # " ... is below 0", [owner # "_" # name]>;
class Train_BelowOne<string owner, string name>
    : Verified<"", "0 <= `" # name # "` < 1.", name # " ... is not at least 0 and below 1", [owner # "_" # name]>;
class Train_Finite<string owner, string name>
    : Verified<"", "`" # name # "` is finite.", name # " ... is not finite", [owner # "_" # name]>;
class Train_Positive<string owner, string name>
    : Verified<"", "`" # name # "` is finite and above 0.", name # " ... is not above 0", [owner # "_" # name]>;
class Train_Count<string owner, string name>
    : Verified<"", "1 <= `" # name # "` <= 2^53.", name # " ... is not from 1 to 2^53", [owner # "_" # name]>;

class Train_Rule<string name, string attributeMnemonic, list<string> more = []>
    : AttrDef<Train_Dialect, name, [
        DeclareAttrInterfaceMethods<Train_OptimizerRuleInterface,
                                    !listconcat(["getStates", "buildUpdate"], more)>]> {
  let mnemonic = attributeMnemonic;
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The rule that a recipe's `optimizer` describes, with PyTorch's names and
    /// defaults. A null attribute after emitting an error.
    static ::gensyn::train::OptimizerRuleInterface
    read(::gensyn::train::RecipeObject &recipe);
  }];
  list<Verified> constraints = ?;
}

def Train_SgdAttr : Train_Rule<"Sgd", "sgd", ["getSharedStates", "buildAdvance"]> {
  let summary = "Stochastic gradient descent, optionally with momentum";
  let description = [{
    Computes `g += weight_decay p`. With momentum, `v = momentum v + (1 - dampening) g`,
    where v is g at the first step. The direction is v, or g + momentum v with
    `nesterov`; `p -= lr direction` (optimizer_r2).

    ```mlir
    #train.sgd<momentum = 0.9, dampening = 0.0, weight_decay = 0.0, nesterov = false>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the velocity">:$momentum,
      Train_Number<"reduces the gradient's share of the velocity">:$dampening,
      Train_Number<"L2 penalty">:$weight_decay, Train_Flag<"Nesterov momentum">:$nesterov);
  let constraints = [
    Train_NotNegative<"sgd", "momentum">, Train_NotNegative<"sgd", "weight_decay">, Train_Finite<"sgd", "dampening">,
    Verified<"", "With `nesterov`, `momentum` is not 0 and `dampening` is 0.",
             "nesterov needs a momentum and no dampening", ["sgd_nesterov"]>];
}

class Train_AdamLike<string name, string attributeMnemonic>
    : Train_Rule<name, attributeMnemonic, ["getSharedStates", "buildAdvance"]> {
  let parameters = (ins Train_Number<"decay of the mean of the gradient">:$beta1,
      Train_Number<"decay of the mean of its square">:$beta2, Train_Number<"summand of the divisor">:$eps,
      Train_Number<"decay of the parameter">:$weight_decay,
      Train_Flag<"divide by the largest mean square so far">:$amsgrad, Train_TensorFlowEps:$tensorflow_eps);
  let constraints = [
    Train_NotNegative<attributeMnemonic, "eps">, Train_NotNegative<attributeMnemonic, "weight_decay">,
    Train_BelowOne<attributeMnemonic, "beta1">, Train_BelowOne<attributeMnemonic, "beta2">];
}

def Train_AdamAttr : Train_AdamLike<"Adam", "adam"> {
  let summary = "Adam with L2 penalty";
  let description = [{
    Computes `g += weight_decay p`, `m += (1 - beta1) (g - m)`,
    `v = beta2 v + (1 - beta2) g g`, and
    `p -= lr / (1 - beta1^t) m / (sqrt(v) / sqrt(1 - beta2^t) + eps)` (optimizer_r3).
    With `tensorflow_eps`, eps is added before the bias correction:
    `p -= lr sqrt(1 - beta2^t) / (1 - beta1^t) m / (sqrt(v) + eps)`.

    ```mlir
    #train.adam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, amsgrad = false>
    ```
  }];
}

def Train_AdamWAttr : Train_AdamLike<"AdamW", "adamw"> {
  let summary = "Adam with decoupled weight decay";
  let description = [{
    Computes `p *= 1 - lr weight_decay`, then Adam without weight decay
    (optimizer_r4).

    ```mlir
    #train.adamw<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.01, amsgrad = false>
    ```
  }];
}

def Train_AdagradAttr : Train_Rule<"Adagrad", "adagrad", ["getSharedStates", "buildAdvance"]> {
  let summary = "Adagrad: steps divided by the root of the sum of squares";
  let description = [{
    Computes `g += weight_decay p`, `s += g g`, and
    `p -= lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps)` (optimizer_r5). With
    `tensorflow_eps`, the divisor is `sqrt(s + eps)`.

    ```mlir
    #train.adagrad<lr_decay = 0.0, weight_decay = 0.0, initial_accumulator_value = 0.0, eps = 1.0e-10>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the step size">:$lr_decay,
      Train_Number<"L2 penalty">:$weight_decay,
      Train_Number<"initial value of s">:$initial_accumulator_value,
      Train_Number<"summand of the divisor">:$eps, Train_TensorFlowEps:$tensorflow_eps);
  let constraints = [
    Train_NotNegative<"adagrad", "lr_decay">, Train_NotNegative<"adagrad", "weight_decay">,
    Train_NotNegative<"adagrad", "initial_accumulator_value">, Train_NotNegative<"adagrad", "eps">];
}

def Train_RmsPropAttr : Train_Rule<"RmsProp", "rmsprop"> {
  let summary = "RMSprop: steps divided by a running root mean square";
  let description = [{
    Computes `g += weight_decay p`, `v = alpha v + (1 - alpha) g g`,
    `a = sqrt(v) + eps`, `u = momentum u + g / a` and `p -= lr u`. With `centered`, the
    square of the running mean of g is subtracted from v under the root; with
    `tensorflow_eps`, eps is added there too (optimizer_r6).

    ```mlir
    #train.rmsprop<alpha = 0.99, eps = 1.0e-8, weight_decay = 0.0, momentum = 0.0, centered = false>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the mean square">:$alpha,
      Train_Number<"summand of the divisor">:$eps, Train_Number<"L2 penalty">:$weight_decay,
      Train_Number<"decay of the velocity">:$momentum,
      Train_Flag<"divide by the standard deviation">:$centered, Train_TensorFlowEps:$tensorflow_eps);
  let constraints = [
    Train_NotNegative<"rmsprop", "alpha">, Train_NotNegative<"rmsprop", "eps">,
    Train_NotNegative<"rmsprop", "weight_decay">, Train_NotNegative<"rmsprop", "momentum">];
}

#endif
