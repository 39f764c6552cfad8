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

// Constraints that all losses share; tests begin with the op's mnemonic.
class Train_LossType<string mnemonic>
    : Verified<"", "The loss has the element type of the prediction.", "loss has type ..., not ...",
               [mnemonic # "_loss_type"]>;
class Train_Axis<string mnemonic>
    : Verified<"", "-rank <= `axis` < rank of the prediction.", "axis ... is out of range for rank ...",
               [mnemonic # "_axis"]>;

// A loss of elements: prediction and target have one type.
class Train_ElementLossOp<string mnemonic>
    : Train_LossOp<mnemonic, [AllTypesMatch<["prediction", "target"]>]> {
  dag tensors = (ins Arg<Train_FloatTensor, "the prediction">:$prediction,
                     Arg<Train_FloatTensor, "the target">:$target,
                     Arg<Train_ReductionAttr, "the reduction of elements to one loss">:$reduction);
  let arguments = tensors;
  let results = (outs Res<Train_Scalar, "the loss">:$loss);
  let assemblyFormat = [{
    $prediction `,` $target `reduction` $reduction attr-dict `:` type($prediction) `->` type($loss)
  }];
  let extraClassDeclaration = reading # "{ return prediction; }";
  list<Verified> common = [
    Verified<"", "Prediction and target have the same type.",
             "failed to verify that all of {prediction, target} have same type", [mnemonic # "_target"]>,
    Train_LossType<mnemonic>];
  let constraints = common;
}

// A loss of class numbers.
class Train_ClassLossOp<string mnemonic, string scores> : Train_LossOp<mnemonic> {
  let results = (outs Res<Train_Scalar, "the loss">:$loss);
  list<Verified> common = [
    Train_Axis<mnemonic>,
    Verified<"", "The target has the shape of the " # scores # " without `axis`.", "target has type ..., not ...",
             [mnemonic # "_target"]>,
    Verified<"", "`weight` has an entry for each class.", "has ... weights for ... classes", [mnemonic # "_weight"]>,
    Verified<"", "`reduction` is `mean` or `sum`.", "has no reduction batchmean", [mnemonic # "_reduction"]>,
    Train_LossType<mnemonic>];
  let constraints = common;
}

def Train_SoftmaxCrossEntropyOp : Train_ClassLossOp<"softmax_cross_entropy", "logits"> {
  let summary = "Cross-entropy of the softmax of logits";
  let description = [{
    Computes `-log(softmax(logits)[target])` for each row, a vector of logits along
    `axis`, and sums the rows or takes their mean (loss_r1, loss_r2).

    - Rows whose target is `ignore_index` are left out, and `mean` does not count them.
    - With `weight`, rows are multiplied by the weight of their class, and `mean`
      divides by the sum of these weights.
    - `label_smoothing` mixes in the mean over all classes.
    - A target that is not a class makes the loss NaN.

    ```mlir
    %l = train.softmax_cross_entropy %logits, %target reduction mean {ignore_index = -100 : i64}
        : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
    ```
  }];
  let arguments = (ins Arg<Train_FloatTensor, "the logits">:$logits, Arg<Train_ClassTensor, "the class numbers">:$target,
                       Arg<Train_ReductionAttr, "the reduction of rows to one loss">:$reduction,
                       Arg<DefaultValuedAttr<I64Attr, "-1">, "the dimension of the classes; a negative one counts from the end">:$axis,
                       Arg<OptionalAttr<I64Attr>, "the target of rows that are left out">:$ignore_index,
                       Arg<DefaultValuedAttr<F64Attr, "0.0">, "the share of the mean over all classes">:$label_smoothing,
                       Arg<OptionalAttr<DenseF64ArrayAttr>, "the weight of each class">:$weight);
  let constraints = [Verified<"", "0 <= `label_smoothing` <= 1.", "label_smoothing ... is not between 0 and 1",
                              ["softmax_cross_entropy_label_smoothing"]>] # common;
  let assemblyFormat = [{
    $logits `,` $target `reduction` $reduction attr-dict `:` type($logits) `,` type($target) `->` type($loss)
  }];
}

def Train_NllOp : Train_ClassLossOp<"nll", "prediction"> {
  let summary = "Negative log-likelihood";
  let description = [{
    Computes `-prediction[target]` for each row, and sums the rows or takes their mean
    (loss_r7). The prediction holds log-probabilities, as of a log-softmax. `axis`,
    `ignore_index` and `weight` are those of `train.softmax_cross_entropy`.

    ```mlir
    %l = train.nll %logs, %target reduction mean {weight = array<f64: 1.0, 2.0>}
        : tensor<8x2xf32>, tensor<8xi64> -> tensor<f32>
    ```
  }];
  let arguments = (ins Arg<Train_FloatTensor, "the log-probabilities">:$prediction,
                       Arg<Train_ClassTensor, "the class numbers">:$target,
                       Arg<Train_ReductionAttr, "the reduction of rows to one loss">:$reduction,
                       Arg<DefaultValuedAttr<I64Attr, "-1">, "the dimension of the classes; a negative one counts from the end">:$axis,
                       Arg<OptionalAttr<I64Attr>, "the target of rows that are left out">:$ignore_index,
                       Arg<OptionalAttr<DenseF64ArrayAttr>, "the weight of each class">:$weight);
  let assemblyFormat = [{
    $prediction `,` $target `reduction` $reduction attr-dict `:` type($prediction) `,` type($target) `->` type($loss)
  }];
}

def Train_MseOp : Train_ElementLossOp<"mse"> {
  let summary = "Squared error";
  let description = [{
    Computes `(prediction - target)^2`, summed or averaged over all elements (loss_r1,
    loss_r3).

    ```mlir
    %l = train.mse %y, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
}

def Train_L1Op : Train_ElementLossOp<"l1"> {
  let summary = "Absolute error";
  let description = [{
    Computes `|prediction - target|`, summed or averaged over all elements (loss_r1,
    loss_r4).

    ```mlir
    %l = train.l1 %y, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
}

def Train_HuberOp : Train_ElementLossOp<"huber"> {
  let summary = "Huber loss";
  let description = [{
    With d the absolute error, computes `d^2 / 2` where d < `delta` and
    `delta (d - delta / 2)` elsewhere, summed or averaged over all elements (loss_r1,
    loss_r5).

    ```mlir
    %l = train.huber %y, %t reduction mean {delta = 0.5 : f64} : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let arguments = !con(tensors, (ins Arg<DefaultValuedAttr<F64Attr, "1.0">, "the error where the loss becomes linear">:$delta));
  let constraints = [Verified<"", "`delta` is above 0.", "delta ... is not above 0", ["huber_delta"]>] # common;
}

def Train_SmoothL1Op : Train_ElementLossOp<"smooth_l1"> {
  let summary = "Smooth absolute error";
  let description = [{
    With d the absolute error, computes `d^2 / (2 beta)` where d < `beta` and
    `d - beta / 2` elsewhere, summed or averaged over all elements (loss_r1, loss_r8).
    With `beta` 0 it is `train.l1`.

    ```mlir
    %l = train.smooth_l1 %y, %t reduction mean {beta = 0.5 : f64} : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let arguments = !con(tensors, (ins Arg<DefaultValuedAttr<F64Attr, "1.0">, "the error where the loss becomes linear">:$beta));
  let constraints = [Verified<"", "`beta` is at least 0.", "beta ... is not at least 0", ["smooth_l1_beta"]>] # common;
}

def Train_BceWithLogitsOp : Train_ElementLossOp<"bce_with_logits"> {
  let summary = "Binary cross-entropy of logits";
  let description = [{
    Computes `max(z, 0) - z t + log(1 + exp(-|z|))` for a logit z and a target t in
    [0, 1], summed or averaged over all elements (loss_r1, loss_r6). `pos_weight`
    multiplies the term of t.

    ```mlir
    %l = train.bce_with_logits %z, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let arguments = !con(tensors, (ins Arg<OptionalAttr<DenseF64ArrayAttr>, "weight of positive targets: one, or one for each element of the last dimension">:$pos_weight));
  let constraints = [
    Verified<"", "`pos_weight` has one entry, or as many as the last dimension has elements.",
             "has ... weights, neither one nor as many as the last dimension has elements",
             ["bce_with_logits_pos_weight"]>] # common;
}

def Train_BceOp : Train_ElementLossOp<"bce"> {
  let summary = "Binary cross-entropy of probabilities";
  let description = [{
    Computes `(t - 1) max(log(1 - p), -100) - t max(log(p), -100)` for a probability p
    and a target t in [0, 1], summed or averaged over all elements (loss_r1). The
    gradient is PyTorch's, `(p - t) / max((1 - p) p, 1e-12)` (loss_r9).

    ```mlir
    %l = train.bce %p, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
}

def Train_KlDivOp : Train_ElementLossOp<"kl_div"> {
  let summary = "Kullback-Leibler divergence";
  let description = [{
    Computes `t (log(t) - x)` for a probability t and a predicted log-probability x; the
    term is 0 where t is 0. With `log_target` the target is a log-probability too, and
    the term is `exp(t) (t - x)`. Terms are summed or averaged over all elements;
    `batchmean` divides the sum by the first extent (loss_r1, loss_r10).

    ```mlir
    %l = train.kl_div %x, %t reduction batchmean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let arguments = !con(tensors, (ins Arg<UnitAttr, "the target holds log-probabilities">:$log_target));
}

def Train_SoftTargetCrossEntropyOp : Train_ElementLossOp<"soft_target_cross_entropy"> {
  let summary = "Cross-entropy of the softmax of logits and probabilities";
  let description = [{
    Computes `-t log(softmax(x))` for each row, a vector of logits x and one of
    probabilities t along `axis`, and sums the rows or takes their mean (loss_r1,
    loss_r12).

    - With `weight`, terms are multiplied by the weight of their class; `mean` still
      divides by the number of rows.
    - `label_smoothing` mixes an equal share of each class into t.

    ```mlir
    %l = train.soft_target_cross_entropy %x, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let arguments = !con(tensors, (ins Arg<DefaultValuedAttr<I64Attr, "-1">, "the dimension of the classes; a negative one counts from the end">:$axis,
                       Arg<DefaultValuedAttr<F64Attr, "0.0">, "the share of the mean over all classes">:$label_smoothing,
                       Arg<OptionalAttr<DenseF64ArrayAttr>, "the weight of each class">:$weight));
  let constraints = [
    Train_Axis<"soft_target_cross_entropy">,
    Verified<"", "0 <= `label_smoothing` <= 1.", "label_smoothing ... is not between 0 and 1",
             ["soft_target_cross_entropy_label_smoothing"]>,
    Verified<"", "`weight` has an entry for each class.", "has ... weights for ... classes",
             ["soft_target_cross_entropy_weight"]>,
    Verified<"", "`reduction` is `mean` or `sum`.", "has no reduction batchmean",
             ["soft_target_cross_entropy_reduction"]>] # common;
  let extraClassDeclaration = reading # ";";
}

def Train_CosineOp : Train_ElementLossOp<"cosine"> {
  let summary = "Cosine distance";
  let description = [{
    Computes `1 - x t / (max(|x|, eps) max(|t|, eps))` for vectors along `axis`, summed
    or averaged over the vectors (loss_r1, loss_r11).

    ```mlir
    %l = train.cosine %x, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let arguments = !con(tensors, (ins Arg<DefaultValuedAttr<I64Attr, "-1">, "the dimension of the vectors; a negative one counts from the end">:$axis,
                       Arg<DefaultValuedAttr<F64Attr, "1.0e-8">, "the smallest norm">:$eps));
  let constraints = [
    Train_Axis<"cosine">, Verified<"", "`eps` is at least 0.", "eps ... is not at least 0", ["cosine_eps"]>] # common;
  let extraClassDeclaration = reading # ";";
}

#endif
