//===- TrainBase.td - dialect, interfaces, op classes ----------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINBASE_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "gensyn/Dialect/Reference.td"
include "gensyn/Dialect/Repro/Interfaces/ReproInterfaces.td"
include "gensyn/Dialect/Train/IR/TrainInterfaces.td"

def Train_Dialect : Dialect {
  let name = "train";
  let cppNamespace = "::gensyn::train";
  let summary = "Losses, gradients and optimizer updates";
  let description = [{
    Ops and attributes of a training step, at the level of a recipe. Losses and
    optimizers lower themselves to `repro` ops. `train.gradient` is replaced by the
    vector-Jacobian products of the ops between a loss and a value
    (DifferentiableOpInterface). A frozen program has no op of this dialect.
    docs/Numerics.md, "Training", gives the sequence of rounded operations of every
    loss, optimizer and schedule.
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect"];
  let useDefaultAttributePrinterParser = 1;
}

def Train_Reduction : I32EnumAttr<"Reduction", "reduction of rows or elements to one loss", [
    I32EnumAttrCase<"Mean", 0, "mean">, I32EnumAttrCase<"Sum", 1, "sum">,
    I32EnumAttrCase<"BatchMean", 2, "batchmean">]> {
  let cppNamespace = "::gensyn::train";
  let genSpecializedAttr = 0;
}
def Train_ReductionAttr : EnumAttr<Train_Dialect, Train_Reduction, "reduction">;

// As those of repro (g2; Repro/IR/BoundedSizes.h).
class Train_TensorOf<list<Type> allowed, string text = ""> : Type<
    And<[StaticShapeTensorOf<allowed>.predicate, CPred<"::gensyn::repro::hasBoundedSize($_self)">]>,
    StaticShapeTensorOf<allowed>.summary # ", of at most 2^40 elements", "::mlir::RankedTensorType"> {
  list<Type> elementTypes = allowed;
  string elementText = text;
}
def Train_FloatTensor : Train_TensorOf<[F32, F64]>;
def Train_ClassTensor : Train_TensorOf<[I32, I64]>;
def Train_Scalar : AnyTypeOf<[0DTensorOf<[F32]>, 0DTensorOf<[F64]>]>;
def Train_AnyTensor : Train_TensorOf<[AnyType], "any type">;

class Train_Op<string mnemonic, list<Trait> traits = []>
    : Op<Train_Dialect, mnemonic, traits # [Pure]> {
  list<Verified> constraints = ?;
}

#endif
