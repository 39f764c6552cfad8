//===- TrainSchedules.td - schedules of the step size -----------*- tablegen -*-===//
//
// A schedule is a function of the number of the step, so that a run that resumes
// from a checkpoint has the same step sizes. It is computed in f64 with
// correctly rounded operations only: + - * / and sqrt, powers of a constant by
// repeated squaring, a cosine by a polynomial (schedule_r*).
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
  list<Verified> constraints = ?;
}

def Train_ConstantScheduleAttr : Train_Schedule<"ConstantSchedule", "constant_schedule"> {
  let summary = "Constant step size";
  let description = [{
    The factor is 1 (schedule_r1).

    ```mlir
    #train.constant_schedule
    ```
  }];
  let constraints = [];
  let assemblyFormat = "";
  let genVerifyDecl = 0;
}

// A fall from 1 to `final` in `steps` steps; the factor stays there.
class Train_Fall<string name, string attributeMnemonic>
    : Train_Schedule<name, attributeMnemonic> {
  let parameters = (ins AttrParameter<"int64_t", "number of steps">:$steps, Train_Number<"factor at the end">:$final);
  let constraints = [Train_Count<attributeMnemonic, "steps">, Train_NotNegative<attributeMnemonic, "final">];
}

def Train_LinearScheduleAttr : Train_Fall<"LinearSchedule", "linear_schedule"> {
  let summary = "Linear decay";
  let description = [{
    The factor at step s is `1 + (final - 1) s / steps`, and `final` from step `steps`
    on (schedule_r3).

    ```mlir
    #train.linear_schedule<steps = 2000, final = 0.0>
    ```
  }];
}

def Train_CosineScheduleAttr : Train_Fall<"CosineSchedule", "cosine_schedule"> {
  let summary = "Cosine decay";
  let description = [{
    The factor at step s is `final + (1 - final) (1 + cos(pi s / steps)) / 2`, and
    `final` from step `steps` on (schedule_r4).

    ```mlir
    #train.cosine_schedule<steps = 1900, final = 0.1>
    ```
  }];
}

def Train_PolynomialScheduleAttr : Train_Schedule<"PolynomialSchedule", "polynomial_schedule"> {
  let summary = "Polynomial decay";
  let description = [{
    The factor at step s is `final + (1 - final) (1 - s / steps)^power`, and `final`
    from step `steps` on (schedule_r6).

    ```mlir
    #train.polynomial_schedule<steps = 2000, final = 0.0, power = 2.0>
    ```
  }];
  let parameters = (ins AttrParameter<"int64_t", "number of steps">:$steps, Train_Number<"factor at the end">:$final,
      Train_Number<"exponent">:$power);
  let constraints = [
    Train_Count<"polynomial_schedule", "steps">, Train_Positive<"polynomial_schedule", "power">,
    Train_NotNegative<"polynomial_schedule", "final">];
}

def Train_InverseSqrtScheduleAttr : Train_Schedule<"InverseSqrtSchedule", "inverse_sqrt_schedule"> {
  let summary = "Inverse square root decay";
  let description = [{
    The factor at step s is `1 / sqrt(1 + s / timescale)` (schedule_r7).

    ```mlir
    #train.inverse_sqrt_schedule<timescale = 10000>
    ```
  }];
  let parameters = (ins AttrParameter<"int64_t", "number of steps after which the factor is 1 / sqrt(2)">:$timescale);
  let constraints = [Train_Count<"inverse_sqrt_schedule", "timescale">];
}

def Train_ExponentialScheduleAttr : Train_Schedule<"ExponentialSchedule", "exponential_schedule"> {
  let summary = "Exponential decay";
  let description = [{
    The factor at step s is `gamma^s` (schedule_r5).

    ```mlir
    #train.exponential_schedule<gamma = 0.999>
    ```
  }];
  let parameters = (ins Train_Number<"factor of each step">:$gamma);
  let constraints = [Train_Positive<"exponential_schedule", "gamma">];
}

def Train_StepScheduleAttr : Train_Schedule<"StepSchedule", "step_schedule"> {
  let summary = "Step decay";
  let description = [{
    The factor at step s is gamma to the power of s / size, truncated (schedule_r5).

    ```mlir
    #train.step_schedule<size = 30, gamma = 0.1>
    ```
  }];
  let parameters = (ins AttrParameter<"int64_t", "number of steps between changes">:$size,
      Train_Number<"factor of each change">:$gamma);
  let constraints = [Train_Count<"step_schedule", "size">, Train_Positive<"step_schedule", "gamma">];
}

def Train_MultiStepScheduleAttr : Train_Schedule<"MultiStepSchedule", "multi_step_schedule"> {
  let summary = "Step decay at given steps";
  let description = [{
    The factor at step s is the product of `gamma` over all milestones that are at
    most s (schedule_r5).

    ```mlir
    #train.multi_step_schedule<milestones = [30, 80], gamma = 0.1>
    ```
  }];
  let parameters = (ins AttrParameter<"::mlir::DenseI64ArrayAttr", "steps at which the factor changes">:$milestones,
      Train_Number<"factor of each change">:$gamma);
  let constraints = [
    Verified<"", "`milestones` ascend.", "milestones are not ascending", ["multi_step_schedule_milestones"]>,
    Train_Positive<"multi_step_schedule", "gamma">];
}

def Train_OneCycleScheduleAttr : Train_Schedule<"OneCycleSchedule", "one_cycle_schedule"> {
  let summary = "One-cycle policy";
  let description = [{
    The factor rises from `1 / div` to 1 until step `rise * steps - 1`, then falls to
    `1 / (div * final_div)` until step `steps - 1`. With `three_phase` it falls to
    `1 / div` first, in as many steps as it rose. It follows half cosines, or straight
    lines with `linear` (schedule_r8).

    ```mlir
    #train.one_cycle_schedule<steps = 1000, rise = 0.3, div = 25.0, final_div = 1.0e4, linear = false, three_phase = false>
    ```
  }];
  let parameters = (ins AttrParameter<"int64_t", "number of steps">:$steps,
      Train_Number<"share of the steps that rise">:$rise,
      Train_Number<"divisor of the first factor">:$div,
      Train_Number<"further divisor of the last factor">:$final_div,
      Train_Flag<"straight lines instead of cosines">:$linear, Train_Flag<"fall in two phases">:$three_phase);
  let constraints = [
    Train_Count<"one_cycle_schedule", "steps">, Train_Positive<"one_cycle_schedule", "div">,
    Train_Positive<"one_cycle_schedule", "final_div">,
    Verified<"", "Each phase has a length above 0.", "a rise in ... of ... steps leaves a phase without a step",
             ["one_cycle_schedule_rise"]>];
}

def Train_CosineRestartsScheduleAttr
    : Train_Schedule<"CosineRestartsSchedule", "cosine_restarts_schedule"> {
  let summary = "Cosine decay with warm restarts";
  let description = [{
    The factor is that of a `#train.cosine_schedule` of `steps` steps, which restarts at
    1; each cycle has `growth` times as many steps as the one before (schedule_r9).

    ```mlir
    #train.cosine_restarts_schedule<steps = 10, growth = 2, final = 0.0>
    ```
  }];
  let parameters = (ins AttrParameter<"int64_t", "number of steps of the first cycle">:$steps,
      AttrParameter<"int64_t", "growth of the length of a cycle">:$growth,
      Train_Number<"factor at the end of each cycle">:$final);
  let constraints = [
    Train_Count<"cosine_restarts_schedule", "steps">, Train_Count<"cosine_restarts_schedule", "growth">,
    Train_NotNegative<"cosine_restarts_schedule", "final">];
}

def Train_CyclicScheduleAttr : Train_Schedule<"CyclicSchedule", "cyclic_schedule"> {
  let summary = "Cyclic triangular schedule";
  let description = [{
    The factor rises linearly from `1 / div` to 1 in `up` steps and falls back in `down`
    steps, repeatedly. `mode` scales the part above `1 / div`: by 1 (`triangular`), by one
    half for each earlier cycle (`triangular2`), or by `gamma^s` (`exp_range`)
    (schedule_r10).

    ```mlir
    #train.cyclic_schedule<up = 2000, down = 2000, div = 10.0, mode = "triangular", gamma = 1.0>
    ```
  }];
  let parameters = (ins AttrParameter<"int64_t", "number of rising steps">:$up,
      AttrParameter<"int64_t", "number of falling steps">:$down,
      Train_Number<"divisor of the smallest factor">:$div,
      AttrParameter<"::mlir::StringAttr", "scale of the cycles">:$mode,
      Train_Number<"base of the scale `exp_range`">:$gamma);
  let constraints = [
    Train_Count<"cyclic_schedule", "up">, Train_Count<"cyclic_schedule", "down">,
    Verified<"", "`up + down` <= 2^53.", "up + down ... is not from 1 to 2^53", ["cyclic_schedule_length"]>,
    Train_Positive<"cyclic_schedule", "div">, Train_Positive<"cyclic_schedule", "gamma">,
    Verified<"", "`mode` is `triangular`, `triangular2` or `exp_range`.", "mode '...' is not known",
             ["cyclic_schedule_mode"]>];
}

def Train_PlateauScheduleAttr
    : Train_Schedule<"PlateauSchedule", "plateau_schedule", ["getStates"]> {
  let summary = "Reduction on a plateau of a metric";
  let description = [{
    The factor is the state `schedule.factor`. The training loop lowers it between
    epochs if a metric has stopped improving (schedule_r11).

    ```mlir
    #train.plateau_schedule
    ```
  }];
  let constraints = [];
  let assemblyFormat = "";
  let genVerifyDecl = 0;
}

def Train_WarmupAttr : Train_Schedule<"Warmup", "warmup", ["getStates"]> {
  let summary = "Linear warm-up before another schedule";
  let description = [{
    The factor rises linearly from `start` to 1 in `steps` steps. Then it is that of
    `next`, whose steps are counted from there (schedule_r2).

    ```mlir
    #train.warmup<steps = 100, start = 0.0, next = #train.constant_schedule>
    ```
  }];
  let parameters = (ins AttrParameter<"int64_t", "number of steps">:$steps, Train_Number<"factor of the first step">:$start,
      AttrParameter<"::gensyn::train::ScheduleInterface", "the schedule after the warm-up">:$next);
  let constraints = [Train_Count<"warmup", "steps">, Train_NotNegative<"warmup", "start">];
  // Every schedule of a recipe may have a warm-up, so it has no kind of its own.
  let extraClassDeclaration = "";
}

def Train_EachEpochAttr : Train_Schedule<"EachEpoch", "each_epoch", ["getStates"]> {
  let summary = "A schedule that counts epochs instead of steps";
  let description = [{
    The factor is that of `next` at the step s, where s is the state `schedule.epoch`:
    the number of epochs before this one, which the training loop sets when an epoch
    begins (schedule_r12).

    ```mlir
    #train.each_epoch<next = #train.step_schedule<size = 30, gamma = 0.1>>
    ```
  }];
  let parameters = (ins AttrParameter<"::gensyn::train::ScheduleInterface", "the schedule that counts epochs">:$next);
  let constraints = [];
  let genVerifyDecl = 0;
  // A key of every schedule of a recipe, and no kind of its own.
  let extraClassDeclaration = "";
}

#endif
