//===- TrainInterfaces.td - what a pass may ask -----------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAININTERFACES_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAININTERFACES_TD

include "mlir/IR/OpBase.td"

def Train_LossOpInterface : OpInterface<"LossOpInterface"> {
  let cppNamespace = "::gensyn::train";
  let description = [{
    A loss op. `convert-train-to-repro` asks it for its meaning, so that a new
    loss edits no pass. Losses have no derivative rule of their own: what they
    build is differentiated.
  }];
  let methods = [InterfaceMethod<[{
      Builds the loss in `repro` ops, and `train.stop_gradient` where PyTorch
      sends no gradient, at the builder's place, and returns the scalar.
    }],
    "::mlir::Value", "buildLoss", (ins "::mlir::OpBuilder &":$builder)>];
}

def Train_OptimizerRuleInterface : AttrInterface<"OptimizerRuleInterface"> {
  let cppNamespace = "::gensyn::train";
  let description = [{
    How one training step changes a parameter. An optimizer is an attribute that
    implements this; no pass lists them. There are two sorts of state: own
    states, a set of tensors for each parameter, and shared states, scalars of
    which the program has one set. Both start at a fill value.
  }];
  let methods = [
    InterfaceMethod<[{
      The own states of a parameter of the given type, in order.
    }],
    "::llvm::SmallVector<::gensyn::train::OptimizerState>", "getStates",
    (ins "::mlir::RankedTensorType":$parameter)>,
    InterfaceMethod<[{
      Why the rule cannot change a parameter of the given type, as the rest of a
      sentence that begins with the parameter; empty where it can.
    }],
    "::std::string", "getRefusal", (ins "::mlir::RankedTensorType":$parameter), "",
    "return {};">,
    InterfaceMethod<[{
      How a parameter of the exported module may be stored, such as transposed,
      and be trained as the module would train it.
    }],
    "::gensyn::train::StorageFreedom", "getStorageFreedom", (ins), "",
    "return ::gensyn::train::StorageFreedom::Joining;">,
    InterfaceMethod<[{
      The states that all parameters share, in order.
    }],
    "::llvm::SmallVector<::gensyn::train::OptimizerState>", "getSharedStates",
    (ins), "", "return {};">,
    InterfaceMethod<[{
      Builds the shared states of the next step from those of this one.
    }],
    "::llvm::SmallVector<::mlir::Value>", "buildAdvance",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$location,
         "::mlir::ValueRange":$shared), "", "return {};">,
    InterfaceMethod<[{
      Builds, in `repro` ops, the new parameter followed by the new own states.
      `rate` is this step's step size, an f64 scalar; `states` and `shared` are
      those before the step.
    }],
    "::llvm::SmallVector<::mlir::Value>", "buildUpdate",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$location,
         "::mlir::Value":$parameter, "::mlir::Value":$gradient,
         "::mlir::Value":$rate, "::mlir::ValueRange":$states, "::mlir::ValueRange":$shared)>];
}

def Train_ScheduleInterface : AttrInterface<"ScheduleInterface"> {
  let cppNamespace = "::gensyn::train";
  let description = [{
    How the step size changes from step to step: a factor by which every group's
    `lr` is multiplied. A schedule is an attribute that implements this; no pass
    lists them.
  }];
  let methods = [
    InterfaceMethod<[{
      Numbers that whoever runs the program sets between steps, by what the run has
      shown; none unless the schedule depends on that.
    }],
    "::llvm::SmallVector<::gensyn::train::OptimizerState>", "getStates", (ins),
    /*methodBody=*/"", /*defaultImplementation=*/[{ return {}; }]>,
    InterfaceMethod<[{
      Builds the factor of a step, an f64 scalar, in `repro` ops. `step` is an i64
      scalar: the steps done before this one, at least 0. `states` are those of
      `getStates`.
    }],
    "::mlir::Value", "buildFactor",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$location,
         "::mlir::Value":$step, "::mlir::ValueRange":$states)>];
}

#endif
