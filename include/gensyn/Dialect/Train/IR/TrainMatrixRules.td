//===- TrainMatrixRules.td - optimizers of matrices -------------*- tablegen -*-===//
//
// Adafactor and Muon, and maximization by any rule; see TrainAttributes.td.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINMATRIXRULES_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINMATRIXRULES_TD

include "gensyn/Dialect/Train/IR/TrainAttributes.td"

def Train_AdafactorAttr : Train_Rule<"Adafactor", "adafactor", ["getSharedStates", "getStorageFreedom", "buildAdvance"]> {
  let summary = "Adafactor: factored mean squares";
  let description = [{
    The mean square of a parameter with two dimensions or more is estimated from those
    of its rows and columns (the last two dimensions), so states are small. The step is
    relative to the parameter's size, and its root mean square is clipped to d
    (optimizer_r15). A negative `eps1` stands for the epsilon of the parameter's type.

    ```mlir
    #train.adafactor<beta2_decay = -0.8, eps1 = -1.0, eps2 = 1.0e-3, d = 1.0, weight_decay = 0.0>
    ```
  }];
  let parameters = (ins Train_Number<"exponent of t in 1 - beta2">:$beta2_decay,
      Train_Number<"lower bound of the divisor">:$eps1, Train_Number<"smallest size of a parameter">:$eps2,
      Train_Number<"largest root mean square of a step">:$d,
      Train_Number<"decay of the parameter">:$weight_decay);
  let constraints = [
    Verified<"", "`beta2_decay` is finite and at most 0.", "beta2_decay ... is above 0", ["adafactor_beta2_decay"]>,
    Verified<"", "`d` is at least 1.", "d ... is below 1", ["adafactor_d"]>,
    Train_Finite<"adafactor", "eps1">,
    Verified<"", "`d` is finite.", "d ... is not finite", ["adafactor_d_finite"]>,
    Train_NotNegative<"adafactor", "eps2">, Train_NotNegative<"adafactor", "weight_decay">];
}

def Train_MuonAdjust : I32EnumAttr<"MuonAdjust", "adjustment of the step size to the shape", [
    I32EnumAttrCase<"Original", 0, "original">,
    I32EnumAttrCase<"MatchRmsAdamW", 1, "match_rms_adamw">,
    I32EnumAttrCase<"SpectralUnclamped", 2, "spectral_unclamped">]> {
  let cppNamespace = "::gensyn::train";
  let genSpecializedAttr = 0;
}
def Train_MuonAdjustParameter : EnumParameter<Train_MuonAdjust>;

def Train_MuonAttr : Train_Rule<"Muon", "muon", ["getRefusal", "getStorageFreedom"]> {
  let summary = "Muon: steps along the nearest orthogonal matrix";
  let description = [{
    Orthogonalizes the momentum of a matrix by `ns_steps` Newton-Schulz iterations in
    bf16, `x -> a x + (b A + c A A) x` with `A = x x^T`; the singular values of the
    result are near 1 (optimizer_r16). Other parameters are rejected.

    ```mlir
    #train.muon<weight_decay = 0.1, momentum = 0.95, nesterov = true, a = 3.4445, b = -4.775, c = 2.0315, eps = 1.0e-7, ns_steps = 5, adjust_lr_fn = original>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the parameter">:$weight_decay,
      Train_Number<"decay of the mean">:$momentum, Train_Flag<"Nesterov momentum">:$nesterov,
      Train_Number<"linear coefficient">:$a, Train_Number<"cubic coefficient">:$b,
      Train_Number<"quintic coefficient">:$c, Train_Number<"smallest norm">:$eps,
      AttrParameter<"int64_t", "number of iterations">:$ns_steps, Train_MuonAdjustParameter:$adjust_lr_fn);
  let constraints = [
    Train_NotNegative<"muon", "weight_decay">, Train_NotNegative<"muon", "momentum">, Train_NotNegative<"muon", "eps">,
    Train_Finite<"muon", "a">, Train_Finite<"muon", "b">, Train_Finite<"muon", "c">,
    Verified<"", "0 <= `ns_steps` < 100.", "ns_steps ... is not between 0 and 99", ["muon_ns_steps"]>];
}

def Train_MaximizeAttr : AttrDef<Train_Dialect, "Maximize", [
    DeclareAttrInterfaceMethods<Train_OptimizerRuleInterface,
        ["getStates", "getSharedStates", "getRefusal", "getStorageFreedom", "buildAdvance",
         "buildUpdate"]>]> {
  let summary = "Maximization by another rule";
  let description = [{
    Applies `rule` to the negated gradient (optimizer_r8).

    ```mlir
    #train.maximize<#train.lion<beta1 = 0.9, beta2 = 0.99, weight_decay = 0.0>>
    ```
  }];
  let mnemonic = "maximize";
  let parameters = (ins AttrParameter<"::gensyn::train::OptimizerRuleInterface", "the minimizing rule">:$rule);
  let assemblyFormat = "`<` $rule `>`";
  list<Verified> constraints = [];
}

#endif
