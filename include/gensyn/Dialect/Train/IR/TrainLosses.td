//===- TrainLosses.td - scalar losses ---------------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_TRAIN_IR_TRAINLOSSES_TD
#define GENSYN_DIALECT_TRAIN_IR_TRAINLOSSES_TD

include "gensyn/Dialect/Train/IR/TrainBase.td"

class Train_LossOp<string mnemonic, list<Trait> traits = []>
    : Train_Op<mnemonic, traits # [DeclareOpInterfaceMethods<Train_LossOpInterface>]>;

// A loss of elements: prediction and target have one type.
class Train_ElementLossOp<string mnemonic>
    : Train_LossOp<mnemonic, [AllTypesMatch<["prediction", "target"]>]> {
  let arguments = (ins Train_FloatTensor:$prediction, Train_FloatTensor:$target,
                       Train_ReductionAttr:$reduction);
  let results = (outs Train_Scalar:$loss);
  let assemblyFormat = [{
    $prediction `,` $target `reduction` $reduction attr-dict `:` type($prediction) `->` type($loss)
  }];
}

def Train_SoftmaxCrossEntropyOp : Train_LossOp<"softmax_cross_entropy"> {
  let summary = "-log softmax(logits)[target]";
  let description = [{
    Classes lie along `axis` (the last one unless given, negative counts from the
    end); the target has the other dimensions of the logits (cross_entropy_c1).
    Rows whose target is `ignore_index` are left out and not counted by `mean`.
    `label_smoothing` mixes in the mean over all classes, as PyTorch does. Any
    other target that is no class makes the loss NaN (loss_r2).

    ```mlir
    %l = train.softmax_cross_entropy %logits, %target reduction mean {ignore_index = -100 : i64}
        : tensor<8x10xf32>, tensor<8xi64> -> tensor<f32>
    ```
  }];
  let arguments = (ins Train_FloatTensor:$logits, Train_ClassTensor:$target,
                       Train_ReductionAttr:$reduction, DefaultValuedAttr<I64Attr, "-1">:$axis,
                       OptionalAttr<I64Attr>:$ignore_index,
                       DefaultValuedAttr<F64Attr, "0.0">:$label_smoothing);
  let results = (outs Train_Scalar:$loss);
  let assemblyFormat = [{
    $logits `,` $target `reduction` $reduction attr-dict `:` type($logits) `,` type($target) `->` type($loss)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The class axis, counted from the front.
    int64_t getClassAxis();
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
  let hasVerifier = 1;
}

def Train_L1Op : Train_ElementLossOp<"l1"> {
  let summary = "Absolute difference";
  let description = [{
    |prediction - target|, summed, or its mean over all elements (loss_r4).

    ```mlir
    %l = train.l1 %y, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let hasVerifier = 1;
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
  let hasVerifier = 1;
}

def Train_BceWithLogitsOp : Train_ElementLossOp<"bce_with_logits"> {
  let summary = "Binary cross-entropy of logits";
  let description = [{
    max(z, 0) - z t + log(1 + exp(-|z|)) for logit z and target t in [0, 1];
    summed, or its mean over all elements (loss_r6).

    ```mlir
    %l = train.bce_with_logits %z, %t reduction mean : tensor<8x10xf32> -> tensor<f32>
    ```
  }];
  let hasVerifier = 1;
}

#endif
