//===- TrainAttributes.td - optimizers --------------------------*- tablegen -*-===//
//
// Formulas, defaults and order of evaluation are torch.optim's. Hyper-parameters
// are f64, as Python's are; they are rounded to the parameter's type once, where
// a PyTorch kernel takes them (optimizer_r1).
//
// The step size lr is no part of a rule: it is an operand of train.update, as a
// schedule may compute it.
//
// What depends on the number of the step (1 - beta^t, lr / (1 + t * lr_decay)) is
// computed in f64 as PyTorch's Python code does, from shared f64 states. beta^t
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
}

def Train_SgdAttr : Train_Rule<"Sgd", "sgd", ["getSharedStates", "buildAdvance"]> {
  let summary = "Gradient descent, with momentum";
  let description = [{
    g += weight_decay p; with momentum, v = momentum v + (1 - dampening) g, and
    g itself at the first step; nesterov goes along g + momentum v, else v;
    p -= lr d (optimizer_r2).

    ```mlir
    #train.sgd<momentum = 0.9, dampening = 0.0, weight_decay = 0.0, nesterov = false>
    ```
  }];
  let parameters = (ins Train_Number<"kept share of the velocity">:$momentum,
      Train_Number<"left out share of the gradient">:$dampening,
      Train_Number<"L2 penalty">:$weight_decay, Train_Flag<"look ahead">:$nesterov);
}

class Train_AdamLike<string name, string attributeMnemonic>
    : Train_Rule<name, attributeMnemonic, ["getSharedStates", "buildAdvance"]> {
  let parameters = (ins Train_Number<"decay of the mean">:$beta1,
      Train_Number<"decay of the mean square">:$beta2, Train_Number<"keeps the divisor from 0">:$eps,
      Train_Number<"decay of the parameter">:$weight_decay,
      Train_Flag<"divide by the largest mean square so far">:$amsgrad);
}

def Train_AdamAttr : Train_AdamLike<"Adam", "adam"> {
  let summary = "Adam; weight decay is added to the gradient";
  let description = [{
    g += weight_decay p; m += (1 - beta1) (g - m); v = beta2 v + (1 - beta2) g g;
    p -= lr / (1 - beta1^t) m / (sqrt(v) / sqrt(1 - beta2^t) + eps)
    (optimizer_r3).

    ```mlir
    #train.adam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, amsgrad = false>
    ```
  }];
}

def Train_AdamWAttr : Train_AdamLike<"AdamW", "adamw"> {
  let summary = "Adam; the parameter itself decays first";
  let description = [{
    p *= 1 - lr weight_decay, then Adam without weight decay (optimizer_r4).

    ```mlir
    #train.adamw<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.01, amsgrad = false>
    ```
  }];
}

def Train_AdagradAttr : Train_Rule<"Adagrad", "adagrad", ["getSharedStates", "buildAdvance"]> {
  let summary = "Steps that shrink with the sum of squares";
  let description = [{
    g += weight_decay p; s += g g; p -= lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps)
    (optimizer_r5).

    ```mlir
    #train.adagrad<lr_decay = 0.0, weight_decay = 0.0, initial_accumulator_value = 0.0, eps = 1.0e-10>
    ```
  }];
  let parameters = (ins Train_Number<"how fast the step size falls">:$lr_decay,
      Train_Number<"L2 penalty">:$weight_decay,
      Train_Number<"what s starts at">:$initial_accumulator_value,
      Train_Number<"keeps the divisor from 0">:$eps);
}

def Train_RmsPropAttr : Train_Rule<"RmsProp", "rmsprop"> {
  let summary = "Steps divided by a running root mean square";
  let description = [{
    g += weight_decay p; v = alpha v + (1 - alpha) g g; a = sqrt(v) + eps
    (centered: of v minus the square of the running mean of g);
    u = momentum u + g / a; p -= lr u (optimizer_r6).

    ```mlir
    #train.rmsprop<alpha = 0.99, eps = 1.0e-8, weight_decay = 0.0, momentum = 0.0, centered = false>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the mean square">:$alpha,
      Train_Number<"keeps the divisor from 0">:$eps, Train_Number<"L2 penalty">:$weight_decay,
      Train_Number<"kept share of the velocity">:$momentum, Train_Flag<"divide by the deviation">:$centered);
}

#endif
