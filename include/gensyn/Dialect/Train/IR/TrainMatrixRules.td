//===- TrainMatrixRules.td - optimizers that see matrices -------*- tablegen -*-===//
//
// Adafactor and Muon, and what goes around any rule; see TrainAttributes.td.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINMATRIXRULES_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINMATRIXRULES_TD

include "gensyn/Dialect/Train/IR/TrainAttributes.td"

def Train_AdafactorAttr : Train_Rule<"Adafactor", "adafactor", ["getSharedStates", "getStorageFreedom", "buildAdvance"]> {
  let summary = "Mean squares of rows and columns only";
  let description = [{
    The mean square of a parameter with two dimensions or more is estimated from
    those of its rows and of its columns (the last two dimensions), so that its
    states are small. The step is relative to the parameter's size and clipped to
    a root mean square of d (optimizer_r15). An `eps1` below 0 stands for the
    epsilon of the parameter's type.

    ```mlir
    #train.adafactor<beta2_decay = -0.8, eps1 = -1.0, eps2 = 1.0e-3, d = 1.0, weight_decay = 0.0>
    ```
  }];
  let parameters = (ins Train_Number<"1 - beta2 is t to this power">:$beta2_decay,
      Train_Number<"keeps the divisor from 0">:$eps1, Train_Number<"least size of a parameter">:$eps2,
      Train_Number<"largest root mean square of a step">:$d,
      Train_Number<"decay of the parameter">:$weight_decay);
}

def Train_MuonAdjust : I32EnumAttr<"MuonAdjust", "how the shape changes the step size", [
    I32EnumAttrCase<"Original", 0, "original">,
    I32EnumAttrCase<"MatchRmsAdamW", 1, "match_rms_adamw">,
    I32EnumAttrCase<"SpectralUnclamped", 2, "spectral_unclamped">]> {
  let cppNamespace = "::gensyn::train";
  let genSpecializedAttr = 0;
}
def Train_MuonAdjustParameter : EnumParameter<Train_MuonAdjust>;

def Train_MuonAttr : Train_Rule<"Muon", "muon", ["getRefusal", "getStorageFreedom"]> {
  let summary = "Steps along the nearest orthogonal matrix";
  let description = [{
    For matrices only: the momentum, by Newton's and Schulz's iteration on bf16
    numbers x -> a x + (b A + c A A) x with A = x x^T, becomes a matrix whose
    singular values are near 1 (optimizer_r16).

    ```mlir
    #train.muon<weight_decay = 0.1, momentum = 0.95, nesterov = true, a = 3.4445, b = -4.775, c = 2.0315, eps = 1.0e-7, ns_steps = 5, adjust_lr_fn = original>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the parameter">:$weight_decay,
      Train_Number<"kept share of the mean">:$momentum, Train_Flag<"look ahead">:$nesterov,
      Train_Number<"linear coefficient">:$a, Train_Number<"cubic coefficient">:$b,
      Train_Number<"quintic coefficient">:$c, Train_Number<"least norm">:$eps,
      "int64_t":$ns_steps, Train_MuonAdjustParameter:$adjust_lr_fn);
}

def Train_MaximizeAttr : AttrDef<Train_Dialect, "Maximize", [
    DeclareAttrInterfaceMethods<Train_OptimizerRuleInterface,
        ["getStates", "getSharedStates", "getRefusal", "getStorageFreedom", "buildAdvance",
         "buildUpdate"]>]> {
  let summary = "Upwards instead of downwards";
  let description = [{
    Any other rule, along -g (optimizer_r8).

    ```mlir
    #train.maximize<#train.lion<beta1 = 0.9, beta2 = 0.99, weight_decay = 0.0>>
    ```
  }];
  let mnemonic = "maximize";
  let parameters = (ins AttrParameter<"::gensyn::train::OptimizerRuleInterface", "downwards">:$rule);
  let assemblyFormat = "`<` $rule `>`";
}

#endif
