//===- TrainMomentRules.td - optimizers with running moments ----*- tablegen -*-===//
//
// NAdam, RAdam, Adamax, Adadelta, Lion, LAMB, ASGD and Rprop; see TrainAttributes.td.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINMOMENTRULES_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINMOMENTRULES_TD

include "gensyn/Dialect/Train/IR/TrainAttributes.td"

def Train_NAdamAttr : Train_Rule<"NAdam", "nadam", ["getSharedStates", "buildAdvance"]> {
  let summary = "NAdam: Adam with Nesterov momentum";
  let description = [{
    Computes `mu_t = beta1 (1 - 0.96^(t momentum_decay) / 2)`, and m and v as Adam does.
    The step is along the sum of (1 - mu_t) g and mu_(t+1) m, each divided by one minus
    the product of all mu up to its own (optimizer_r9).

    ```mlir
    #train.nadam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, momentum_decay = 4.0e-3, decoupled_weight_decay = false>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the mean of the gradient">:$beta1,
      Train_Number<"decay of the mean of its square">:$beta2, Train_Number<"summand of the divisor">:$eps,
      Train_Number<"decay of the parameter">:$weight_decay,
      Train_Number<"growth of mu">:$momentum_decay,
      Train_Flag<"decoupled weight decay">:$decoupled_weight_decay);
  let constraints = [
    Train_NotNegative<"nadam", "eps">, Train_NotNegative<"nadam", "weight_decay">,
    Train_NotNegative<"nadam", "momentum_decay">, Train_BelowOne<"nadam", "beta1">, Train_BelowOne<"nadam", "beta2">];
}

def Train_RAdamAttr : Train_Rule<"RAdam", "radam", ["getSharedStates", "buildAdvance"]> {
  let summary = "RAdam: Adam with a rectified variance";
  let description = [{
    While the approximated length rho of the moving average is at most 5, steps are
    along the running mean. Afterwards they are Adam's, times a factor that grows to 1
    (optimizer_r10).

    ```mlir
    #train.radam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, decoupled_weight_decay = false>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the mean of the gradient">:$beta1,
      Train_Number<"decay of the mean of its square">:$beta2, Train_Number<"summand of the divisor">:$eps,
      Train_Number<"decay of the parameter">:$weight_decay,
      Train_Flag<"decoupled weight decay">:$decoupled_weight_decay);
  let constraints = [
    Train_NotNegative<"radam", "eps">, Train_NotNegative<"radam", "weight_decay">,
    Train_BelowOne<"radam", "beta1">, Train_BelowOne<"radam", "beta2">];
}

def Train_AdamaxAttr : Train_Rule<"Adamax", "adamax", ["getSharedStates", "buildAdvance"]> {
  let summary = "Adamax: Adam with the infinity norm";
  let description = [{
    Computes m as Adam does, `u = max(beta2 u, abs(g) + eps)`, and
    `p -= lr / (1 - beta1^t) m / u` (optimizer_r11). With `tensorflow_eps`, eps is
    added to u and not to abs(g).

    ```mlir
    #train.adamax<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the mean of the gradient">:$beta1,
      Train_Number<"decay of the largest magnitude">:$beta2, Train_Number<"summand of the divisor">:$eps,
      Train_Number<"L2 penalty">:$weight_decay, Train_TensorFlowEps:$tensorflow_eps);
  let constraints = [
    Train_NotNegative<"adamax", "eps">, Train_NotNegative<"adamax", "weight_decay">,
    Train_BelowOne<"adamax", "beta1">, Train_BelowOne<"adamax", "beta2">];
}

def Train_AdadeltaAttr : Train_Rule<"Adadelta", "adadelta"> {
  let summary = "Adadelta: steps scaled by the size of earlier steps";
  let description = [{
    Computes `v = rho v + (1 - rho) g g`, `d = sqrt(a + eps) / sqrt(v + eps) g`,
    `a = rho a + (1 - rho) d d` and `p -= lr d` (optimizer_r12).

    ```mlir
    #train.adadelta<rho = 0.9, eps = 1.0e-6, weight_decay = 0.0>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the mean squares">:$rho,
      Train_Number<"summand under the roots">:$eps, Train_Number<"L2 penalty">:$weight_decay);
  let constraints = [
    Verified<"", "0 <= `rho` <= 1.", "rho ... is not between 0 and 1", ["adadelta_rho"]>,
    Train_NotNegative<"adadelta", "eps">, Train_NotNegative<"adadelta", "weight_decay">];
}

def Train_LionAttr : Train_Rule<"Lion", "lion"> {
  let summary = "Lion: steps along the sign of a mean";
  let description = [{
    Computes (Chen et al. 2023) `p *= 1 - lr weight_decay`,
    `p -= lr sign(beta1 m + (1 - beta1) g)` and `m = beta2 m + (1 - beta2) g`
    (optimizer_r13).

    ```mlir
    #train.lion<beta1 = 0.9, beta2 = 0.99, weight_decay = 0.0>
    ```
  }];
  let parameters = (ins Train_Number<"share of the mean in the direction">:$beta1,
      Train_Number<"decay of the mean">:$beta2, Train_Number<"decay of the parameter">:$weight_decay);
  let constraints = [
    Train_NotNegative<"lion", "weight_decay">, Train_BelowOne<"lion", "beta1">, Train_BelowOne<"lion", "beta2">];
}

def Train_LambAttr : Train_Rule<"Lamb", "lamb", ["getSharedStates", "getStorageFreedom", "buildAdvance"]> {
  let summary = "LAMB: Adam with a trust ratio per tensor";
  let description = [{
    Computes (You et al. 2020) u, which is Adam's bias-corrected direction plus
    `weight_decay p`, and `p -= lr (norm(p) / norm(u)) u`. If a norm is 0, the ratio is
    1 (optimizer_r14).

    ```mlir
    #train.lamb<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-6, weight_decay = 0.01>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the mean of the gradient">:$beta1,
      Train_Number<"decay of the mean of its square">:$beta2, Train_Number<"summand of the divisor">:$eps,
      Train_Number<"decay of the parameter">:$weight_decay);
  let constraints = [
    Train_NotNegative<"lamb", "eps">, Train_NotNegative<"lamb", "weight_decay">,
    Train_BelowOne<"lamb", "beta1">, Train_BelowOne<"lamb", "beta2">];
}

def Train_AsgdAttr : Train_Rule<"Asgd", "asgd", ["getSharedStates", "buildAdvance"]> {
  let summary = "Averaged stochastic gradient descent";
  let description = [{
    Computes `p *= 1 - lambd eta` and `p -= eta g`, where eta is lr at the first step and
    `lr / (1 + lambd lr t)^alpha` after step t. From step t0 on, the state ax is the
    average of the parameter (optimizer_r17).

    ```mlir
    #train.asgd<lambd = 1.0e-4, alpha = 0.75, t0 = 1.0e6, weight_decay = 0.0>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the parameter">:$lambd,
      Train_Number<"exponent of the step size's decay">:$alpha,
      Train_Number<"step at which averaging starts">:$t0,
      Train_Number<"L2 penalty">:$weight_decay);
  let constraints = [
    Train_NotNegative<"asgd", "lambd">, Train_NotNegative<"asgd", "alpha">, Train_NotNegative<"asgd", "t0">,
    Train_NotNegative<"asgd", "weight_decay">];
}

def Train_RpropAttr : Train_Rule<"Rprop", "rprop", ["getSharedStates", "buildAdvance"]> {
  let summary = "Resilient propagation: steps by sign, with a size per element";
  let description = [{
    Each element has a step size. It is multiplied by eta_plus if the gradient keeps its
    sign and by eta_minus if the sign changes, and is clamped to step_min and step_max.
    A step after a change of sign is skipped (optimizer_r18).

    ```mlir
    #train.rprop<eta_minus = 0.5, eta_plus = 1.2, step_min = 1.0e-6, step_max = 50.0>
    ```
  }];
  let parameters = (ins Train_Number<"factor after a change of sign">:$eta_minus,
      Train_Number<"factor if the sign stays">:$eta_plus, Train_Number<"smallest step">:$step_min,
      Train_Number<"largest step">:$step_max);
  let constraints = [
    Verified<"", "0 < `eta_minus` < 1.", "eta_minus ... is not between 0 and 1", ["rprop_eta_minus"]>,
    Verified<"", "`eta_plus` is finite and above 1.", "eta_plus ... is not above 1", ["rprop_eta_plus"]>,
    Train_NotNegative<"rprop", "step_min">, Train_NotNegative<"rprop", "step_max">];
}

#endif
