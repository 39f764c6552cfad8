//===- TrainSchedules.td - step sizes that change ---------------*- tablegen -*-===//
//
// A schedule is a function of the number of the step, so that a run that goes on
// from a checkpoint has the same step sizes. It is computed in f64 with
// correctly rounded operations only: + - * / and sqrt, powers of a constant by
// binary powers, a cosine by a polynomial (schedule_r*).
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINSCHEDULES_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINSCHEDULES_TD

include "gensyn/Dialect/Train/IR/TrainAttributes.td"

class Train_Schedule<string name, string attributeMnemonic, list<string> more = []>
    : AttrDef<Train_Dialect, name, [
        DeclareAttrInterfaceMethods<Train_ScheduleInterface,
                                    !listconcat(["buildFactor"], more)>]> {
  let mnemonic = attributeMnemonic;
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The schedule that a recipe's `schedule` describes. Its steps are counted
    /// from the end of `warmup` steps. A null attribute after emitting an error.
    static ::gensyn::train::ScheduleInterface
    read(::gensyn::train::RecipeObject &recipe, int64_t warmup);
  }];
}

def Train_ConstantScheduleAttr : Train_Schedule<"ConstantSchedule", "constant_schedule"> {
  let summary = "Always the same step size";
  let description = [{
    The factor is 1 (schedule_r1).

    ```mlir
    #train.constant_schedule
    ```
  }];
  let assemblyFormat = "";
  let genVerifyDecl = 0;
}

// A fall from 1 to `final` in `steps` steps; the factor stays there.
class Train_Fall<string name, string attributeMnemonic>
    : Train_Schedule<name, attributeMnemonic> {
  let parameters = (ins "int64_t":$steps, Train_Number<"factor at the end">:$final);
}

def Train_LinearScheduleAttr : Train_Fall<"LinearSchedule", "linear_schedule"> {
  let summary = "Falls in equal steps";
  let description = [{
    1 + (final - 1) s / steps at step s (schedule_r3).

    ```mlir
    #train.linear_schedule<steps = 2000, final = 0.0>
    ```
  }];
}

def Train_CosineScheduleAttr : Train_Fall<"CosineSchedule", "cosine_schedule"> {
  let summary = "Falls along half a cosine";
  let description = [{
    final + (1 - final) (1 + cos(pi s / steps)) / 2 at step s (schedule_r4).

    ```mlir
    #train.cosine_schedule<steps = 1900, final = 0.1>
    ```
  }];
}

def Train_PolynomialScheduleAttr : Train_Schedule<"PolynomialSchedule", "polynomial_schedule"> {
  let summary = "Falls as a power of the steps that are left";
  let description = [{
    final + (1 - final) (1 - s / steps)^power at step s (schedule_r6).

    ```mlir
    #train.polynomial_schedule<steps = 2000, final = 0.0, power = 2.0>
    ```
  }];
  let parameters = (ins "int64_t":$steps, Train_Number<"factor at the end">:$final,
      Train_Number<"above 0">:$power);
}

def Train_InverseSqrtScheduleAttr : Train_Schedule<"InverseSqrtSchedule", "inverse_sqrt_schedule"> {
  let summary = "Falls as one over the root of the steps";
  let description = [{
    1 / sqrt(1 + s / timescale) at step s (schedule_r7).

    ```mlir
    #train.inverse_sqrt_schedule<timescale = 10000>
    ```
  }];
  let parameters = (ins "int64_t":$timescale);
}

def Train_ExponentialScheduleAttr : Train_Schedule<"ExponentialSchedule", "exponential_schedule"> {
  let summary = "Multiplied by a constant at each step";
  let description = [{
    gamma to the power of s at step s (schedule_r5).

    ```mlir
    #train.exponential_schedule<gamma = 0.999>
    ```
  }];
  let parameters = (ins Train_Number<"above 0">:$gamma);
}

def Train_StepScheduleAttr : Train_Schedule<"StepSchedule", "step_schedule"> {
  let summary = "Multiplied by a constant every few steps";
  let description = [{
    gamma to the power of s / size, truncated, at step s (schedule_r5).

    ```mlir
    #train.step_schedule<size = 30, gamma = 0.1>
    ```
  }];
  let parameters = (ins "int64_t":$size, Train_Number<"above 0">:$gamma);
}

def Train_MultiStepScheduleAttr : Train_Schedule<"MultiStepSchedule", "multi_step_schedule"> {
  let summary = "Multiplied by a constant at given steps";
  let description = [{
    The product of gamma for every milestone that is at most s, at step s
    (schedule_r5).

    ```mlir
    #train.multi_step_schedule<milestones = [30, 80], gamma = 0.1>
    ```
  }];
  let parameters = (ins AttrParameter<"::mlir::DenseI64ArrayAttr", "ascending">:$milestones,
      Train_Number<"above 0">:$gamma);
}

def Train_OneCycleScheduleAttr : Train_Schedule<"OneCycleSchedule", "one_cycle_schedule"> {
  let summary = "Rises once and falls below where it began";
  let description = [{
    From 1 / div to 1 until step rise * steps - 1, then to 1 / (div * final_div)
    until step steps - 1; with `three_phase` first back to 1 / div in as many
    steps as it rose. Along half cosines, or lines where `linear` (schedule_r8).

    ```mlir
    #train.one_cycle_schedule<steps = 1000, rise = 0.3, div = 25.0, final_div = 1.0e4, linear = false, three_phase = false>
    ```
  }];
  let parameters = (ins "int64_t":$steps, Train_Number<"share of the steps">:$rise,
      Train_Number<"above 0">:$div, Train_Number<"above 0">:$final_div,
      Train_Flag<"lines and no cosines">:$linear, Train_Flag<"falls in two phases">:$three_phase);
}

def Train_CosineRestartsScheduleAttr
    : Train_Schedule<"CosineRestartsSchedule", "cosine_restarts_schedule"> {
  let summary = "Falls along half a cosine, again and again";
  let description = [{
    `#train.cosine_schedule` of `steps` steps, then again from 1 in `growth` times as
    many, and so on (schedule_r9).

    ```mlir
    #train.cosine_restarts_schedule<steps = 10, growth = 2, final = 0.0>
    ```
  }];
  let parameters = (ins "int64_t":$steps, "int64_t":$growth,
      Train_Number<"factor at the end of each fall">:$final);
}

def Train_CyclicScheduleAttr : Train_Schedule<"CyclicSchedule", "cyclic_schedule"> {
  let summary = "Rises and falls in lines, again and again";
  let description = [{
    From 1 / div to 1 in `up` steps and back in `down` steps. How far above 1 / div
    it goes is multiplied, as `mode` says, by 1 (`triangular`), by one half for each
    cycle before (`triangular2`), or by gamma to the power of s (`exp_range`)
    (schedule_r10).

    ```mlir
    #train.cyclic_schedule<up = 2000, down = 2000, div = 10.0, mode = "triangular", gamma = 1.0>
    ```
  }];
  let parameters = (ins "int64_t":$up, "int64_t":$down, Train_Number<"above 0">:$div,
      AttrParameter<"::mlir::StringAttr", "what cycles are multiplied by">:$mode,
      Train_Number<"above 0">:$gamma);
}

def Train_PlateauScheduleAttr
    : Train_Schedule<"PlateauSchedule", "plateau_schedule", ["getStates"]> {
  let summary = "Falls when a figure of the run stops getting better";
  let description = [{
    The factor is the state `schedule.factor`, which the training loop lowers between
    epochs (schedule_r11).

    ```mlir
    #train.plateau_schedule
    ```
  }];
  let assemblyFormat = "";
  let genVerifyDecl = 0;
}

def Train_WarmupAttr : Train_Schedule<"Warmup", "warmup", ["getStates"]> {
  let summary = "A rising start before another schedule";
  let description = [{
    From `start` in equal steps to 1, which is reached after `steps` of them; then
    `next`, whose steps are counted from there (schedule_r2).

    ```mlir
    #train.warmup<steps = 100, start = 0.0, next = #train.constant_schedule>
    ```
  }];
  let parameters = (ins "int64_t":$steps, Train_Number<"factor of the first step">:$start,
      AttrParameter<"::gensyn::train::ScheduleInterface", "what follows">:$next);
  // Every recipe's schedule may have one: no kind of its own.
  let extraClassDeclaration = "";
}

#endif
