// The conversion from the onnx dialect to repro.
#ifndef GENSYN_CONVERSION_ONNXTOREPRO_PASSES_TD
#define GENSYN_CONVERSION_ONNXTOREPRO_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertOnnxToReproPass : Pass<"convert-onnx-to-repro", "::mlir::ModuleOp"> {
  let summary = "Give every ONNX operator its meaning to the last bit";
  let description = [{
    Replaces each node by ops of the closed set, by one table of (operator,
    version). Broadcasts become ops, shape computations become constants,
    reductions and contractions are left without an order. Nodes that have no
    entry in the table, or a form that cannot be expressed, are reported all
    at once, each by its name in the user's file.

    Arguments and results keep their meaning under other names: `onnx.name`
    becomes `gensyn.name`, `onnx.data` becomes `gensyn.initial`, a dictionary of
    file, offset, length and hash, or the elements themselves. The module loses
    its `onnx.` attributes.

    ```mlir
    // before
    %y = onnx.Add.v14(%x, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    // after
    %0 = repro.broadcast %b dims [1] : tensor<3xf32> to tensor<2x3xf32>
    %1 = repro.add %x, %0 : tensor<2x3xf32>
    ```

    Numerics: changes bits; ONNX leaves them open, this pass says what they are.
    Needs: static shapes, shape operands folded to constants.
    Leaves: `func` and `repro` ops, and `train.stop_gradient` where a shift cancels.
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect", "::gensyn::train::TrainDialect"];
}

def InlineUnconvertiblePass : Pass<"onnx-inline-unconvertible", "::mlir::ModuleOp"> {
  let summary = "Expand operators that have a body but no conversion";
  let description = [{
    Replaces each node that `convert-onnx-to-repro` has no entry for by the body
    that its schema gives, again until none is left.

    ```mlir
    %y = onnx.Softsign.v22(%x) : (tensor<4xf32>) -> tensor<4xf32>
    ```

    becomes `onnx.Abs`, `onnx.Add` and `onnx.Div`.

    Numerics: changes bits; the body then says what the operator is.
    Needs: inferred types, which bodies that depend on their context ask for.
    Leaves: nodes that have a conversion, or no body.
  }];
  let dependentDialects = ["::gensyn::onnx::OnnxDialect"];
}

#endif
