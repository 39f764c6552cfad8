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

class Train_Schedule<string name, string attributeMnemonic>
    : AttrDef<Train_Dialect, name, [DeclareAttrInterfaceMethods<Train_ScheduleInterface>]> {
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

def Train_WarmupAttr : Train_Schedule<"Warmup", "warmup"> {
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
