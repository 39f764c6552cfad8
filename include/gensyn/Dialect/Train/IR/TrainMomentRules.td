//===- TrainMomentRules.td - optimizers with running moments ----*- tablegen -*-===//
//
// NAdam, RAdam, Adamax, Adadelta, Lion, LAMB, ASGD and Rprop; see TrainAttributes.td.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINMOMENTRULES_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINMOMENTRULES_TD

include "gensyn/Dialect/Train/IR/TrainAttributes.td"

def Train_NAdamAttr : Train_Rule<"NAdam", "nadam", ["getSharedStates", "buildAdvance"]> {
  let summary = "Adam with Nesterov's momentum";
  let description = [{
    Of the step t: mu = beta1 (1 - 0.96^(t momentum_decay) / 2), and the same of
    t + 1; m and v as in Adam; p goes along (1 - mu_t) g and mu_(t+1) m, each
    divided by one minus the product of all mu so far (optimizer_r9).

    ```mlir
    #train.nadam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, momentum_decay = 4.0e-3, decoupled_weight_decay = false>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the mean">:$beta1,
      Train_Number<"decay of the mean square">:$beta2, Train_Number<"keeps the divisor from 0">:$eps,
      Train_Number<"decay of the parameter">:$weight_decay,
      Train_Number<"how fast mu rises">:$momentum_decay,
      Train_Flag<"the parameter itself decays">:$decoupled_weight_decay);
}

def Train_RAdamAttr : Train_Rule<"RAdam", "radam", ["getSharedStates", "buildAdvance"]> {
  let summary = "Adam with a rectified variance";
  let description = [{
    While the length rho of the running mean square is at most 5, p goes along the
    running mean; after that along Adam's direction times a factor that grows to 1
    (optimizer_r10).

    ```mlir
    #train.radam<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0, decoupled_weight_decay = false>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the mean">:$beta1,
      Train_Number<"decay of the mean square">:$beta2, Train_Number<"keeps the divisor from 0">:$eps,
      Train_Number<"decay of the parameter">:$weight_decay,
      Train_Flag<"the parameter itself decays">:$decoupled_weight_decay);
}

def Train_AdamaxAttr : Train_Rule<"Adamax", "adamax", ["getSharedStates", "buildAdvance"]> {
  let summary = "Adam by the largest gradient";
  let description = [{
    m as in Adam; u = max(beta2 u, abs(g) + eps); p -= lr / (1 - beta1^t) m / u
    (optimizer_r11).

    ```mlir
    #train.adamax<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the mean">:$beta1,
      Train_Number<"decay of the largest">:$beta2, Train_Number<"keeps the divisor from 0">:$eps,
      Train_Number<"L2 penalty">:$weight_decay);
}

def Train_AdadeltaAttr : Train_Rule<"Adadelta", "adadelta"> {
  let summary = "Steps of the size of earlier steps";
  let description = [{
    v = rho v + (1 - rho) g g; d = sqrt(a + eps) / sqrt(v + eps) g;
    a = rho a + (1 - rho) d d; p -= lr d (optimizer_r12).

    ```mlir
    #train.adadelta<rho = 0.9, eps = 1.0e-6, weight_decay = 0.0>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the mean squares">:$rho,
      Train_Number<"keeps the divisor from 0">:$eps, Train_Number<"L2 penalty">:$weight_decay);
}

def Train_LionAttr : Train_Rule<"Lion", "lion"> {
  let summary = "Steps of one size, by the sign of a mean";
  let description = [{
    Chen et al. 2023: p *= 1 - lr weight_decay; p -= lr sign(beta1 m + (1 - beta1) g);
    m = beta2 m + (1 - beta2) g (optimizer_r13).

    ```mlir
    #train.lion<beta1 = 0.9, beta2 = 0.99, weight_decay = 0.0>
    ```
  }];
  let parameters = (ins Train_Number<"share of the mean in the direction">:$beta1,
      Train_Number<"decay of the mean">:$beta2, Train_Number<"decay of the parameter">:$weight_decay);
}

def Train_LambAttr : Train_Rule<"Lamb", "lamb", ["getSharedStates", "getStorageFreedom", "buildAdvance"]> {
  let summary = "Adam with a step as long as the tensor is";
  let description = [{
    You et al. 2020: u is Adam's direction with the bias corrected, plus
    weight_decay p; p -= lr (norm of p / norm of u) u, where a norm of 0 makes the
    ratio 1 (optimizer_r14).

    ```mlir
    #train.lamb<beta1 = 0.9, beta2 = 0.999, eps = 1.0e-6, weight_decay = 0.01>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the mean">:$beta1,
      Train_Number<"decay of the mean square">:$beta2, Train_Number<"keeps the divisor from 0">:$eps,
      Train_Number<"decay of the parameter">:$weight_decay);
}

def Train_AsgdAttr : Train_Rule<"Asgd", "asgd", ["getSharedStates", "buildAdvance"]> {
  let summary = "Gradient descent with an average of the parameters beside it";
  let description = [{
    p *= 1 - lambd eta; p -= eta g, with eta = lr at the first step and after step t
    lr / (1 + lambd lr t)^alpha; from step t0 on the state ax is the average of
    the parameter (optimizer_r17).

    ```mlir
    #train.asgd<lambd = 1.0e-4, alpha = 0.75, t0 = 1.0e6, weight_decay = 0.0>
    ```
  }];
  let parameters = (ins Train_Number<"decay of the parameter">:$lambd,
      Train_Number<"how fast the step size falls">:$alpha,
      Train_Number<"step after which it averages">:$t0,
      Train_Number<"L2 penalty">:$weight_decay);
}

def Train_RpropAttr : Train_Rule<"Rprop", "rprop", ["getSharedStates", "buildAdvance"]> {
  let summary = "Steps by the gradient's sign, each element's of its own size";
  let description = [{
    An element's step is multiplied by eta_plus where its gradient has the sign of
    the one before, by eta_minus where it has the other one, and kept between
    step_min and step_max; in the latter case it is not taken (optimizer_r18).

    ```mlir
    #train.rprop<eta_minus = 0.5, eta_plus = 1.2, step_min = 1.0e-6, step_max = 50.0>
    ```
  }];
  let parameters = (ins Train_Number<"factor after a change of sign">:$eta_minus,
      Train_Number<"factor else">:$eta_plus, Train_Number<"smallest step">:$step_min,
      Train_Number<"largest step">:$step_max);
}

#endif
