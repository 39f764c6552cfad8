//===- ReproMovement.td - elements move, bits are kept ----------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROMOVEMENT_TD
#define GENSYN_DIALECT_REPRO_IR_REPROMOVEMENT_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

def Repro_ConstantOp : Repro_PureOp<"constant", [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "Tensor constant";
  let description = [{
    The elements have the result's type (constant_c1). Small tensors only:
    weights are arguments.

    ```mlir
    %c = repro.constant dense<1.5> : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Repro_ConstantElements:$value);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Repro_IotaOp : Repro_PureOp<"iota"> {
  let summary = "Index along a dimension";
  let description = [{
    Element [.., i, ..] is i, where i is the index along `dim`; wraps (iota_c1).

    ```mlir
    %i = repro.iota dim 1 : tensor<2x3xi64>
    ```
  }];
  let arguments = (ins I64Attr:$dim);
  let results = (outs Repro_IntegerTensor:$result);
  let assemblyFormat = "`dim` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Repro_ReshapeOp : Repro_PureOp<"reshape", [Repro_ReadsWholeOperands]> {
  let summary = "Reshape in row-major order";
  let description = [{
    The counts of elements agree (reshape_c1).

    ```mlir
    %y = repro.reshape %x : tensor<2x6xf32> to tensor<3x4xf32>
    ```
  }];
  let arguments = (ins Repro_Tensor:$operand);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Repro_TransposeOp : Repro_PureOp<"transpose", [InferTypeOpAdaptor, Repro_ReadsWholeOperands]> {
  let summary = "Permute dimensions";
  let description = [{
    Dimension k of the result is dimension `permutation[k]` of the operand
    (transpose_c1: a permutation).

    ```mlir
    %y = repro.transpose %x [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
    ```
  }];
  let arguments = (ins Repro_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = "$operand $permutation attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Repro_BroadcastOp : Repro_PureOp<"broadcast", [Repro_ReadsWholeOperands]> {
  let summary = "Broadcast along new dimensions";
  let description = [{
    `dims[k]` is where dimension k of the operand goes in the result, increasing
    (broadcast_c1), with equal extents (broadcast_c2: an extent of 1 does not
    stretch); the other dimensions repeat.

    ```mlir
    %y = repro.broadcast %x dims [1] : tensor<3xf32> to tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Repro_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = "$operand `dims` $dims attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Repro_SliceOp : Repro_PureOp<"slice", [InferTypeOpAdaptor]> {
  let summary = "Strided slice";
  let description = [{
    Element i of the result is element start + i * stride of the operand;
    0 <= start <= limit <= extent (slice_c1), stride >= 1 (slice_c2).

    ```mlir
    %y = repro.slice %x start [0, 1] limit [2, 6] stride [1, 2] : tensor<2x6xf32> to tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Repro_Tensor:$operand, DenseI64ArrayAttr:$start,
                       DenseI64ArrayAttr:$limit, DenseI64ArrayAttr:$stride);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = "$operand `start` $start `limit` $limit `stride` $stride attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Repro_PadOp : Repro_PureOp<"pad", [InferTypeOpAdaptor]> {
  let summary = "Edge and interior padding";
  let description = [{
    `low` elements before, `high` after, `interior` between neighbours of each
    dimension, all the scalar `value`; none is negative (pad_c1).

    ```mlir
    %y = repro.pad %x, %zero low [1] high [2] interior [0] : tensor<4xf32> to tensor<7xf32>
    ```
  }];
  let arguments = (ins Repro_Tensor:$operand, Repro_Tensor:$value, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$interior);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = "$operand `,` $value `low` $low `high` $high `interior` $interior attr-dict `:` type($operand) `,` type($value) `to` type($result)";
  let hasVerifier = 1;
}

def Repro_ConcatOp : Repro_PureOp<"concat", [InferTypeOpAdaptor, Repro_ReadsWholeOperands]> {
  let summary = "Concatenate along a dimension";
  let description = [{
    All other extents agree (concat_c1).

    ```mlir
    %y = repro.concat %a, %b dim 0 : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
    ```
  }];
  let arguments = (ins Variadic<Repro_Tensor>:$operands, I64Attr:$dim);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = "$operands `dim` $dim attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Repro_ReverseOp : Repro_PureOp<"reverse", [SameOperandsAndResultType, Repro_ReadsWholeOperands]> {
  let summary = "Reverse the elements along dimensions";
  let description = [{
    Element i of each listed dimension (reverse_c1: distinct) is element
    extent - 1 - i of the operand.

    ```mlir
    %y = repro.reverse %x dims [0] : tensor<4xf32>
    ```
  }];
  let arguments = (ins Repro_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = "$operand `dims` $dims attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif
