// The conversion from the onnx dialect to repro.
#ifndef GENSYN_CONVERSION_ONNXTOREPRO_PASSES_TD
#define GENSYN_CONVERSION_ONNXTOREPRO_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertOnnxToReproPass : Pass<"convert-onnx-to-repro", "::mlir::ModuleOp"> {
  let summary = "Convert ONNX operators to the repro dialect";
  let description = [{
    Replaces each node by repro ops, by a table of (operator, version). Broadcasts become
    ops, shape computations become constants, and reductions and contractions get no
    order yet. All nodes without an entry in the table, or in a form that is not
    supported, are reported at once, by their names in the user's file.

    Attributes of arguments and results are renamed: `onnx.name` becomes `gensyn.name`,
    and `onnx.data` becomes `gensyn.initial`, a dictionary of file, offset, length and
    hash, or the elements themselves. The module loses its `onnx.` attributes.

    ```mlir
    // before
    %y = onnx.Add.v14(%x, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    // after
    %0 = repro.broadcast %b dims [1] : tensor<3xf32> to tensor<2x3xf32>
    %1 = repro.add %x, %0 : tensor<2x3xf32>
    ```

    Numerics: changes bits; ONNX does not define them, this pass does.
    Needs: static shapes, shape operands folded to constants.
    Leaves: `func` and `repro` ops, and `train.stop_gradient` on shifts that cancel.
  }];
  let dependentDialects = ["::gensyn::repro::ReproDialect", "::gensyn::train::TrainDialect"];
}

def InlineUnconvertiblePass : Pass<"onnx-inline-unconvertible", "::mlir::ModuleOp"> {
  let summary = "Inline operators that have a body but no conversion";
  let description = [{
    Replaces each node that `convert-onnx-to-repro` does not support by the function body
    of its schema, repeatedly.

    ```mlir
    %y = onnx.Softsign.v22(%x) : (tensor<4xf32>) -> tensor<4xf32>
    ```

    becomes `onnx.Abs`, `onnx.Add` and `onnx.Div`.

    Numerics: changes bits; the body defines the operator.
    Needs: inferred types, which context-dependent bodies use.
    Leaves: nodes that have a conversion, or no body.
  }];
  let dependentDialects = ["::gensyn::onnx::OnnxDialect"];
}

#endif
