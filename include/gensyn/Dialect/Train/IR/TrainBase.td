//===- TrainBase.td - dialect, interfaces, op classes ----------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINBASE_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "gensyn/Dialect/Repro/Interfaces/ReproInterfaces.td"
include "gensyn/Dialect/Train/IR/TrainInterfaces.td"

def Train_Dialect : Dialect {
  let name = "train";
  let cppNamespace = "::gensyn::train";
  let summary = "What a training run is: losses, gradients and updates";
  let description = [{
    Says what is trained, not how a number comes about: losses and optimizers
    build `repro` ops, `train.gradient` is replaced by what the ops between a
    loss and a value answer through DifferentiableOpInterface. Nothing of it is
    left when a program is frozen. docs/Numerics.md, "Training", has the exact
    sequence of rounded operations of every loss (loss_r*) and optimizer
    (optimizer_r*).
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect"];
  let useDefaultAttributePrinterParser = 1;
}

def Train_Reduction : I32EnumAttr<"Reduction", "how rows or elements become one loss", [
    I32EnumAttrCase<"Mean", 0, "mean">, I32EnumAttrCase<"Sum", 1, "sum">,
    I32EnumAttrCase<"BatchMean", 2, "batchmean">]> {
  let cppNamespace = "::gensyn::train";
  let genSpecializedAttr = 0;
}
def Train_ReductionAttr : EnumAttr<Train_Dialect, Train_Reduction, "reduction">;

// As those of repro (g2; Repro/IR/BoundedSizes.h).
class Train_TensorOf<list<Type> allowed> : Type<
    And<[StaticShapeTensorOf<allowed>.predicate, CPred<"::gensyn::repro::hasBoundedSize($_self)">]>,
    StaticShapeTensorOf<allowed>.summary # ", of at most 2^40 elements", "::mlir::RankedTensorType">;
def Train_FloatTensor : Train_TensorOf<[F32, F64]>;
def Train_ClassTensor : Train_TensorOf<[I32, I64]>;
def Train_Scalar : AnyTypeOf<[0DTensorOf<[F32]>, 0DTensorOf<[F64]>]>;
def Train_AnyTensor : Train_TensorOf<[AnyType]>;

class Train_Op<string mnemonic, list<Trait> traits = []>
    : Op<Train_Dialect, mnemonic, traits # [Pure]>;

#endif
