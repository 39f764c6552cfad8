// The few ops that are no ONNX operators; those are registered from the schemas.
#ifndef GENSYN_DIALECT_ONNX_IR_ONNXOPS_TD
#define GENSYN_DIALECT_ONNX_IR_ONNXOPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "gensyn/Dialect/Onnx/IR/OnnxAttributes.td"
include "gensyn/Dialect/Onnx/IR/OnnxTypes.td"

class Onnx_Op<string mnemonic, list<Trait> traits = []> : Op<Onnx_Dialect, mnemonic, traits>;

def Onnx_NoneOp : Onnx_Op<"none", [Pure, ConstantLike,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "An optional operand that is absent";
  let description = [{
    Stands where a node of the file leaves an input empty.

    ```mlir
    %none = onnx.none
    %y = onnx.Clip.v13(%x, %none, %max) : (tensor<4xf32>, none, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let results = (outs NoneType:$result);
  let assemblyFormat = "attr-dict";
  let hasFolder = 1;
}

def Onnx_ConstantOp : Onnx_Op<"constant", [Pure, ConstantLike]> {
  let summary = "A small tensor that is known";
  let description = [{
    Holds an integer or boolean initializer of at most 1 KiB, or a folded value.
    What may be trained is an argument of the function, never a constant.

    ```mlir
    %shape = onnx.constant dense<[2, -1]> : tensor<2xi64>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value), [{
    build($_builder, $_state, value.getType(), value);
  }]>];
}

def Onnx_CustomOp : Onnx_Op<"custom"> {
  let summary = "A node whose operator has no schema";
  let description = [{
    Only made when the importer is told to keep operators it does not know.
    Nothing is assumed about its effects.

    ```mlir
    %y = onnx.custom "com.example" "Frobnicate" (%x) {level = 3 : i64}
        : (tensor<4xf32>) -> !onnx.unknown
    ```
  }];
  let arguments = (ins StrAttr:$domain, StrAttr:$op_type, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $domain $op_type `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)
  }];
}

def Onnx_YieldOp : Onnx_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "The outputs of a subgraph";
  let description = [{
    Ends the region of an op such as `onnx.If.v16`.

    ```mlir
    onnx.yield %a, %b : tensor<4xf32>, tensor<i64>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
