//===- TrainInterfaces.td - interfaces of train ops and attributes *- tablegen -*-===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAININTERFACES_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAININTERFACES_TD

include "mlir/IR/OpBase.td"

def Train_LossOpInterface : OpInterface<"LossOpInterface"> {
  let cppNamespace = "::gensyn::train";
  let description = [{
    A loss op, which lowers itself to `repro` ops. `convert-train-to-repro` calls it
    and lists no losses. Losses have no derivative rule: the ops that they build are
    differentiated.
  }];
  let methods = [InterfaceMethod<[{
      Builds the loss from `repro` ops at the builder's insertion point and returns
      the scalar. Builds `train.stop_gradient` where PyTorch propagates no gradient.
    }],
    "::mlir::Value", "buildLoss", (ins "::mlir::OpBuilder &":$builder)>];
}

def Train_OptimizerRuleInterface : AttrInterface<"OptimizerRuleInterface"> {
  let cppNamespace = "::gensyn::train";
  let description = [{
    The update rule of an optimizer, for one parameter and one training step. An
    optimizer is an attribute with this interface; no pass lists optimizers. There
    are two kinds of state. Own states are tensors that each parameter has; shared
    states are scalars that the program has once. Both start at a fill value.
  }];
  let methods = [
    InterfaceMethod<[{
      Returns the own states of a parameter of the given type, in order.
    }],
    "::llvm::SmallVector<::gensyn::train::OptimizerState>", "getStates",
    (ins "::mlir::RankedTensorType":$parameter)>,
    InterfaceMethod<[{
      Returns the reason why the rule cannot update a parameter of the given type, as
      the rest of a sentence that begins with the parameter; empty if it can.
    }],
    "::std::string", "getRefusal", (ins "::mlir::RankedTensorType":$parameter), "",
    "return {};">,
    InterfaceMethod<[{
      Returns the ways in which a parameter of the exported module may be stored,
      such as transposed, without a change of its training.
    }],
    "::gensyn::train::StorageFreedom", "getStorageFreedom", (ins), "",
    "return ::gensyn::train::StorageFreedom::Joining;">,
    InterfaceMethod<[{
      Returns the shared states, in order.
    }],
    "::llvm::SmallVector<::gensyn::train::OptimizerState>", "getSharedStates",
    (ins), "", "return {};">,
    InterfaceMethod<[{
      Builds the shared states of the next step from those of this step.
    }],
    "::llvm::SmallVector<::mlir::Value>", "buildAdvance",
    (ins "::gensyn::repro::FormulaBuilder &":$f, "::mlir::ValueRange":$shared), "",
    "return {};">,
    InterfaceMethod<[{
      Builds the new parameter and then its new own states from `repro` ops.
    }],
    "::llvm::SmallVector<::mlir::Value>", "buildUpdate",
    (ins "::gensyn::repro::FormulaBuilder &":$f,
         "const ::gensyn::train::UpdateInputs &":$in)>];
}

def Train_ScheduleInterface : AttrInterface<"ScheduleInterface"> {
  let cppNamespace = "::gensyn::train";
  let description = [{
    A schedule of the step size: gives the factor by which every group's `lr` is
    multiplied at a step. A schedule is an attribute with this interface; no pass
    lists schedules.
  }];
  let methods = [
    InterfaceMethod<[{
      Returns the states that the training loop sets between steps, from the metrics
      of the run; empty unless the schedule depends on metrics.
    }],
    "::llvm::SmallVector<::gensyn::train::OptimizerState>", "getStates", (ins),
    /*methodBody=*/"", /*defaultImplementation=*/[{ return {}; }]>,
    InterfaceMethod<[{
      Builds the factor of a step, an f64 scalar, from `repro` ops. `step` is an i64
      scalar, the number of steps done before, at least 0. `states` are the values of
      `getStates`.
    }],
    "::mlir::Value", "buildFactor",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$location,
         "::mlir::Value":$step, "::mlir::ValueRange":$states)>];
}

#endif
