// Passes of the onnx dialect.
#ifndef GENSYN_DIALECT_ONNX_TRANSFORMS_PASSES_TD
#define GENSYN_DIALECT_ONNX_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def OnnxInferShapesPass : Pass<"onnx-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "Infer types by ONNX schemas and fold shape arithmetic";
  let description = [{
    Visits nodes once, in program order. Each node's types come from the inference
    function of its schema and are merged with the declared types. Then the node is
    folded if its operands are constants.

    Before and after inference each node is verified against its operator's definition:
    ranks, dimensions that attributes name, and lengths of index tuples. The same rules
    infer shapes that the schema's function leaves out.

    Only integers, booleans and correctly rounded float operations (+ - * / sqrt) are
    folded, and only to at most 1 KiB. Incompatible operands, indices out of range and
    reshapes to another number of elements are errors.

    ```mlir
    %s = onnx.Shape.v15(%x) : (tensor<2x8xf32>) -> !onnx.unknown
    ```

    becomes `onnx.constant dense<[2, 8]> : tensor<2xi64>`.

    Numerics: keeps bits.
    Needs: ops of the onnx dialect under func.func.
    Leaves: the same ops with inferred types, and constants. Ranks and axes of known
    types are valid, which conversions rely on.
  }];
  let options = [ListOption<"dims", "dims", "std::string",
                            "Sizes of symbolic dimensions, name=value, which are set before inference">];
  let dependentDialects = ["::gensyn::onnx::OnnxDialect"];
}

def OnnxInlineFunctionsPass : Pass<"onnx-inline-functions", "::mlir::ModuleOp"> {
  let summary = "Inline the function bodies of operators";
  let description = [{
    Replaces each node of a named operator by the function body of its schema,
    repeatedly, and infers the types of the new nodes. The body may use an older operator
    set than the model; every op names its version.

    ```mlir
    %y = onnx.LeakyRelu.v16(%x) {alpha = 1.000000e-01 : f32} : (tensor<4xf32>) -> tensor<4xf32>
    ```

    becomes `onnx.Constant`, `onnx.CastLike`, `onnx.Less`, `onnx.Mul` and `onnx.Where`.

    Numerics: changes bits, if a conversion would compute the operator differently from
    its body.
    Needs: inferred types, which context-dependent bodies use.
    Leaves: no node of the named operators that has a body.
  }];
  let options = [ListOption<"ops", "ops", "std::string",
                            "Operators to inline, by name without version; all if empty">];
  let dependentDialects = ["::gensyn::onnx::OnnxDialect"];
}

def OnnxSimplifyPass : Pass<"onnx-simplify", "::mlir::ModuleOp"> {
  let summary = "Simplify nodes before conversion";
  let description = [{
    - Removes `Identity`, and `Cast` or `CastLike` to the same type; replaces any other
      `CastLike` by `Cast`.
    - Replaces `Constant` of up to 1 KiB, in each of its forms, by `onnx.constant`.
    - Replaces `SequenceAt(SplitToSequence(x), constant)` by a result of `Split`.
    - Replaces `Dropout` in inference mode by its input; with `evaluates`, any `Dropout`
      whose mask is not used.
    - With `evaluates`, makes `BatchNormalization` in training mode normalize with the
      stored statistics, which stay unchanged.

    ```mlir
    %y = onnx.Identity.v16(%x) : (tensor<4xf32>) -> tensor<4xf32>
    ```

    Numerics: keeps bits; with `evaluates` changes bits, since it evaluates the model in
    inference mode.
    Needs: inferred types.
    Leaves: none of these nodes, if the rewrite is possible.
  }];
  let options = [
    Option<"evaluates", "evaluates", "bool", /*default=*/"false",
           "Treat Dropout and BatchNormalization as in inference mode">];
  let dependentDialects = ["::gensyn::onnx::OnnxDialect"];
}

def OnnxUseBatchStatisticsPass : Pass<"onnx-use-batch-statistics", "::mlir::ModuleOp"> {
  let summary = "Switch batch normalizations to training mode";
  let description = [{
    Implements `"batch_norm": "train"` of a recipe. Each `BatchNormalization` of `@main`
    that normalizes with stored statistics is replaced by one that normalizes with those
    of the batch, and whose second and third results are the next running statistics, by
    the node's `momentum`. From version 14 on this is its `training_mode`, in earlier
    versions the number of its results. A node in training mode stays unchanged.

    ```mlir
    // before
    %y = onnx.BatchNormalization.v15(%x, %s, %b, %mean, %var) {momentum = 9.000000e-01 : f32} : ...
    // after
    %y:3 = onnx.BatchNormalization.v15(%x, %s, %b, %mean, %var) {momentum = 9.000000e-01 : f32, training_mode = 1 : i64} : ...
    ```

    Errors are a node whose statistics are not initializers, a node in a subgraph, and a
    model without the operator: the statistics could not be kept, or the request would
    have no effect.

    Numerics: changes bits; it defines what is computed.
    Needs: inferred types, and no `Identity` between initializers and nodes.
    Leaves: no batch normalization in inference mode.
  }];
  let dependentDialects = ["::gensyn::onnx::OnnxDialect"];
}

#endif
