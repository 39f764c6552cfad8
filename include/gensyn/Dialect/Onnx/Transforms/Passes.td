// Passes of the onnx dialect.
#ifndef GENSYN_DIALECT_ONNX_TRANSFORMS_PASSES_TD
#define GENSYN_DIALECT_ONNX_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def OnnxInferShapesPass : Pass<"onnx-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "Infer types by the schemas, folding shape arithmetic on the way";
  let description = [{
    One forward walk: each node's types come from its schema's inference function
    and are merged with the declared ones, then the node is folded if its operands
    are constants. Producers come first, so no second walk is needed.

    Before and after inference each node is held to what its operator's definition
    says of ranks, of the dimensions that attributes name and of the lengths of index
    tuples. The same rules give results the shapes that the schema's function leaves
    out.

    Only integers, booleans and correctly rounded float operations (+ - * / sqrt)
    are folded, and only to at most 1 KiB. Operands that do not fit, indices out of
    range and reshapes to another number of elements are errors.

    ```mlir
    %s = onnx.Shape.v15(%x) : (tensor<2x8xf32>) -> !onnx.unknown
    ```

    becomes `onnx.constant dense<[2, 8]> : tensor<2xi64>`.

    Numerics: keeps bits.
    Needs: ops of the onnx dialect under func.func.
    Leaves: the same ops with inferred types, and constants. Ranks and axes are valid
    as far as types are known: conversions index shapes relying on it.
  }];
  let options = [ListOption<"dims", "dims", "std::string",
                            "Sizes of symbolic dimensions, name=value; bound before inference">];
  let dependentDialects = ["::gensyn::onnx::OnnxDialect"];
}

def OnnxInlineFunctionsPass : Pass<"onnx-inline-functions", "::mlir::ModuleOp"> {
  let summary = "Expand operators that their schema defines by other operators";
  let description = [{
    Replaces each node of a named operator by the body that its schema gives, again
    until none is left, and infers the types of what came. The body may be of an
    older operator set than the model; every op carries its version.

    ```mlir
    %y = onnx.LeakyRelu.v16(%x) {alpha = 1.000000e-01 : f32} : (tensor<4xf32>) -> tensor<4xf32>
    ```

    becomes `onnx.Constant`, `onnx.CastLike`, `onnx.Less`, `onnx.Mul` and `onnx.Where`.

    Numerics: changes bits, where a conversion would compute the operator in another way
    than its body does.
    Needs: inferred types, which bodies that depend on their context ask for.
    Leaves: no node of the named operators that has a body.
  }];
  let options = [ListOption<"ops", "ops", "std::string",
                            "Operators to expand, by name without version; all if empty">];
  let dependentDialects = ["::gensyn::onnx::OnnxDialect"];
}

def OnnxSimplifyPass : Pass<"onnx-simplify", "::mlir::ModuleOp"> {
  let summary = "Rewrite nodes that conversions would rather not see";
  let description = [{
    - `Identity`, and `Cast` or `CastLike` to the type the value has, are removed;
      any other `CastLike` becomes a `Cast`.
    - `Constant` of up to 1 KiB, in each of its forms, becomes `onnx.constant`.
    - `SequenceAt(SplitToSequence(x), constant)` becomes a result of `Split`.
    - `Dropout` that is not training becomes its input; with `evaluates` any
      does whose mask is not used.
    - With `evaluates`, `BatchNormalization` that trains normalizes with the
      stored statistics, and leaves them.

    ```mlir
    %y = onnx.Identity.v16(%x) : (tensor<4xf32>) -> tensor<4xf32>
    ```

    Numerics: keeps bits; with `evaluates` changes them, as an evaluation is of
    the model that will be used and not of the one that learns.
    Needs: inferred types.
    Leaves: none of these nodes where the rewrite is possible.
  }];
  let options = [
    Option<"evaluates", "evaluates", "bool", /*default=*/"false",
           "Take Dropout and BatchNormalization as not training, whatever the model says">];
  let dependentDialects = ["::gensyn::onnx::OnnxDialect"];
}

def OnnxUseBatchStatisticsPass : Pass<"onnx-use-batch-statistics", "::mlir::ModuleOp"> {
  let summary = "Make batch normalizations train that were exported for inference";
  let description = [{
    What `"batch_norm": "train"` of a recipe asks for. Each `BatchNormalization` of
    `@main` that normalizes with stored statistics becomes one that normalizes with
    those of the batch, and has the next running statistics as its second and third
    result, by the node's own `momentum`. From version 14 on that is its
    `training_mode`, before the number of its results. A node that trains stays.

    ```mlir
    // before
    %y = onnx.BatchNormalization.v15(%x, %s, %b, %mean, %var) {momentum = 9.000000e-01 : f32} : ...
    // after
    %y:3 = onnx.BatchNormalization.v15(%x, %s, %b, %mean, %var) {momentum = 9.000000e-01 : f32, training_mode = 1 : i64} : ...
    ```

    A node whose statistics are no initializers, one in a subgraph, and a model
    without the operator are errors: nothing would keep the statistics, or nothing
    would come of the request.

    Numerics: changes bits; it says what is computed.
    Needs: inferred types, and no `Identity` between initializers and nodes.
    Leaves: no batch normalization in inference mode.
  }];
  let dependentDialects = ["::gensyn::onnx::OnnxDialect"];
}

#endif
