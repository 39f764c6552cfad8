//===- TrainLosses.td - scalar losses ---------------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINLOSSES_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINLOSSES_TD

include "gensyn/Dialect/Train/IR/TrainBase.td"

class Train_LossOp<string mnemonic, list<Trait> traits = []>
    : Train_Op<mnemonic, traits # [DeclareOpInterfaceMethods<Train_LossOpInterface>]> {
  code reading = [{
    /// Builds the op that a recipe's `loss` describes, at the builder's place,
    /// and returns the scalar; a null value after emitting an error.
    static ::mlir::Value read(::mlir::OpBuilder &builder, ::mlir::Location location,
                              ::gensyn::train::RecipeObject &recipe,
                              ::mlir::Value prediction, ::mlir::Value target);
    /// The target's type for a prediction's. Fails after emitting an error.
    static ::llvm::FailureOr<::mlir::RankedTensorType>
    readTargetType(::gensyn::train::RecipeObject &recipe, ::mlir::RankedTensorType prediction)
  }];
  let extraClassDeclaration = reading # ";";
  let hasVerifier = 1;
}

// A loss of elements: prediction and target have one type.
class Train_ElementLossOp<string mnemonic>
    : Train_LossOp<mnemonic, [AllTypesMatch<["prediction", "target"]>]> {
  let arguments = (ins Train_FloatTensor:$prediction, Train_FloatTensor:$target,
                       Train_ReductionAttr:$reduction);
  let results = (outs Train_Scalar:$loss);
  let assemblyFormat = [{
    $prediction `,` $target `reduction` $reduction attr-dict `:` type($prediction) `->` type($loss)
  }];
  let extraClassDeclaration = reading # "{ return prediction; }";
}

def Train_SoftmaxCrossEntropyOp : Train_LossOp<"softmax_cross_entropy"> {
  let summary = "-log softmax(logits)[target]";
  let description = [{
    Classes lie along `axis` (the last one unless given, negative counts from the
    end); the target has the other dimensions of the logits (cross_entropy_c1).
    Rows whose target is `ignore_index` are left out and not counted by `mean`.
    `weight` has a number for each class; `mean` divides by the sum of those that
    the targets have. `label_smoothing` mixes in the mean over all classes, as
    PyTorch does. Any other target that is no class makes the loss NaN (loss_r2).

    ```mlir
    %l = train.softmax_cross_entropy %logits, %target reduction mean {ignore_index = -100 : i64}
        : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$logits, Train_ClassTensor:$target,
                       Train_ReductionAttr:$reduction, DefaultValuedAttr<I64Attr, "-1">:$axis,
                       OptionalAttr<I64Attr>:$ignore_index,
                       DefaultValuedAttr<F64Attr, "0.0">:$label_smoothing,
                       OptionalAttr<DenseF64ArrayAttr>:$weight);
  let results = (outs Train_Scalar:$loss);
  let assemblyFormat = [{
    $logits `,` $target `reduction` $reduction attr-dict `:` type($logits) `,` type($target) `->` type($loss)
  }];
}

def Train_NllOp : Train_LossOp<"nll"> {
  let summary = "-prediction[target], of logarithms of probabilities";
  let description = [{
    The prediction holds logarithms of probabilities, as of a log-softmax. Shapes,
    `axis`, `ignore_index` and `weight` are those of `train.softmax_cross_entropy`
    (loss_r7).

    ```mlir
    %l = train.nll %logs, %target reduction mean {weight = array<f64: 1.0, 2.0>}
        : tensor<8x2xf32>, tensor<8xi64> -> tensor<f32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$prediction, Train_ClassTensor:$target,
                       Train_ReductionAttr:$reduction, DefaultValuedAttr<I64Attr, "-1">:$axis,
                       OptionalAttr<I64Attr>:$ignore_index,
                       OptionalAttr<DenseF64ArrayAttr>:$weight);
  let results = (outs Train_Scalar:$loss);
  let assemblyFormat = [{
    $prediction `,` $target `reduction` $reduction attr-dict `:` type($prediction) `,` type($target) `->` type($loss)
  }];
}

def Train_MseOp : Train_ElementLossOp<"mse"> {
  let summary = "Squared difference";
  let description = [{
    (prediction - target)^2, summed, or its mean over all elements (loss_r3).

    ```mlir
    %l = train.mse %y, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
}

def Train_L1Op : Train_ElementLossOp<"l1"> {
  let summary = "Absolute difference";
  let description = [{
    |prediction - target|, summed, or its mean over all elements (loss_r4).

    ```mlir
    %l = train.l1 %y, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
}

def Train_HuberOp : Train_ElementLossOp<"huber"> {
  let summary = "Squared near the target, absolute far from it";
  let description = [{
    With d the absolute difference, d^2 / 2 below `delta`, else
    delta (d - delta / 2); summed, or its mean over all elements (loss_r5).

    ```mlir
    %l = train.huber %y, %t reduction mean {delta = 0.5 : f64} : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$prediction, Train_FloatTensor:$target,
                       Train_ReductionAttr:$reduction, DefaultValuedAttr<F64Attr, "1.0">:$delta);
}

def Train_SmoothL1Op : Train_ElementLossOp<"smooth_l1"> {
  let summary = "Squared near the target, absolute far from it, of slope 1 there";
  let description = [{
    With d the absolute difference, d^2 / 2 / `beta` below `beta`, else
    d - beta / 2; `train.l1` where beta is 0. Summed, or its mean over all
    elements (loss_r8).

    ```mlir
    %l = train.smooth_l1 %y, %t reduction mean {beta = 0.5 : f64} : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$prediction, Train_FloatTensor:$target,
                       Train_ReductionAttr:$reduction, DefaultValuedAttr<F64Attr, "1.0">:$beta);
}

def Train_BceWithLogitsOp : Train_ElementLossOp<"bce_with_logits"> {
  let summary = "Binary cross-entropy of logits";
  let description = [{
    max(z, 0) - z t + log(1 + exp(-|z|)) for logit z and target t in [0, 1];
    summed, or its mean over all elements. `pos_weight` multiplies the part of
    t: one number, or one for each element of the last dimension (loss_r6).

    ```mlir
    %l = train.bce_with_logits %z, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$prediction, Train_FloatTensor:$target,
                       Train_ReductionAttr:$reduction,
                       OptionalAttr<DenseF64ArrayAttr>:$pos_weight);
}

def Train_BceOp : Train_ElementLossOp<"bce"> {
  let summary = "Binary cross-entropy of probabilities";
  let description = [{
    (t - 1) max(log(1 - p), -100) - t max(log(p), -100) for probability p and
    target t in [0, 1]; summed, or its mean over all elements. The gradient is
    PyTorch's, (p - t) / max((1 - p) p, 1e-12) (loss_r9).

    ```mlir
    %l = train.bce %p, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
}

def Train_KlDivOp : Train_ElementLossOp<"kl_div"> {
  let summary = "Divergence of a distribution from the predicted one";
  let description = [{
    t (log t - x) for probability t and the logarithm x of the predicted one, 0
    where t is; with `log_target` the target is a logarithm too, exp(t) (t - x).
    Summed, or its mean over all elements; `batchmean` divides by the first
    dimension (loss_r10).

    ```mlir
    %l = train.kl_div %x, %t reduction batchmean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$prediction, Train_FloatTensor:$target,
                       Train_ReductionAttr:$reduction, UnitAttr:$log_target);
}

def Train_CosineOp : Train_ElementLossOp<"cosine"> {
  let summary = "One minus the cosine of the angle to the target";
  let description = [{
    1 - x t / (max(|x|, eps) max(|t|, eps)) for vectors along `axis` (the last one
    unless given); summed, or their mean (loss_r11).

    ```mlir
    %l = train.cosine %x, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$prediction, Train_FloatTensor:$target,
                       Train_ReductionAttr:$reduction, DefaultValuedAttr<I64Attr, "-1">:$axis,
                       DefaultValuedAttr<F64Attr, "1.0e-8">:$eps);
  let extraClassDeclaration = reading # ";";
}

#endif
