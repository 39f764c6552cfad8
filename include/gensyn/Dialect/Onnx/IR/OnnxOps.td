// Ops that are not ONNX operators; operators are registered from the schemas.
#ifndef GENSYN_DIALECT_ONNX_IR_ONNXOPS_TD
#define GENSYN_DIALECT_ONNX_IR_ONNXOPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "gensyn/Dialect/Onnx/IR/OnnxAttributes.td"
include "gensyn/Dialect/Onnx/IR/OnnxTypes.td"

class Onnx_Op<string mnemonic, list<Trait> traits = []> : Op<Onnx_Dialect, mnemonic, traits> {
  list<Verified> constraints = ?;
}

def Onnx_NoneOp : Onnx_Op<"none", [Pure, ConstantLike,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Absent optional operand";
  let description = [{
    Is the operand where a node of the file leaves an optional input empty.

    ```mlir
    %none = onnx.none
    %y = onnx.Clip.v13(%x, %none, %max) : (tensor<4xf32>, none, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let results = (outs Res<NoneType, "the absent operand">:$result);
  let constraints = [];
  let assemblyFormat = "attr-dict";
  let hasFolder = 1;
}

def Onnx_ConstantOp : Onnx_Op<"constant", [Pure, ConstantLike]> {
  let summary = "Tensor constant";
  let description = [{
    Returns its elements. The importer makes constants of integer and boolean
    initializers of at most 1 KiB; folding makes others. Other initializers are
    arguments of the function, since they may be trained.

    ```mlir
    %shape = onnx.constant dense<[2, -1]> : tensor<2xi64>
    ```
  }];
  let arguments = (ins Arg<ElementsAttr, "the elements">:$value);
  let results = (outs Res<AnyType, "the constant">:$result);
  let constraints = [
    Verified<"", "`value` has the type of the result.", "has a value of type ... and a result of type ...",
             ["constant_type"]>,
    Verified<"", "`value` is dense, or a resource of as many bytes as its type has; it has at most 2^40 elements of a type that ONNX has, and at most 2^29 bytes.",
             "value ...",
             ["constant_size", "constant_elements", "constant_resource", "constant_sparse", "constant_element_type"]>];
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value), [{
    build($_builder, $_state, value.getType(), value);
  }]>];
}

def Onnx_CustomOp : Onnx_Op<"custom"> {
  let summary = "Node of an operator without a schema";
  let description = [{
    Represents a node of an unknown operator, if the importer is told to keep those.
    Nothing is assumed about its side effects.

    ```mlir
    %y = onnx.custom "com.example" "Frobnicate" (%x) {level = 3 : i64}
        : (tensor<4xf32>) -> !onnx.unknown
    ```
  }];
  let arguments = (ins Arg<StrAttr, "the operator's domain">:$domain, Arg<StrAttr, "the operator's name">:$op_type,
                       Arg<Variadic<AnyType>, "the inputs">:$inputs);
  let results = (outs Res<Variadic<AnyType>, "the outputs">:$outputs);
  let constraints = [];
  let assemblyFormat = [{
    $domain $op_type `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)
  }];
}

def Onnx_YieldOp : Onnx_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "Terminator of a subgraph";
  let description = [{
    Ends a region of an op such as `onnx.If.v16` and gives the outputs of the subgraph.

    ```mlir
    %y = onnx.If.v16(%p) else_branch {
      onnx.yield %a : tensor<4xf32>
    } then_branch {
      onnx.yield %b : tensor<4xf32>
    } : (tensor<i1>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Arg<Variadic<AnyType>, "the outputs">:$values);
  let constraints = [];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
