//===- ReproMovement.td - data movement -------------------------*- tablegen -*-===//
//
// Elements are moved, never computed with: all bits are kept (g4).
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROMOVEMENT_TD
#define GENSYN_DIALECT_REPRO_IR_REPROMOVEMENT_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

class Repro_SameElementType<list<string> tests>
    : Verified<"", "Operand and result have the same element type.", "changes the element type from ... to ...", tests>;
class Repro_InferredType<string statement, list<string> tests>
    : Verified<"", statement, "inferred type(s) ... are incompatible with return type(s) of operation ...", tests>;

def Repro_ConstantOp : Repro_PureOp<"constant", [ConstantLike, DeclareOpInterfaceMethods<Repro_SplitOpInterface>,
    AllTypesMatch<["value", "result"]>]> {
  let summary = "Tensor constant";
  let description = [{
    Returns the elements of `value`, in row-major order; all bits are kept (g4).
    Constants are small: weights are arguments of the program.

    ```mlir
    %c = repro.constant dense<1.5> : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_ConstantElements, "the elements">:$value);
  let results = (outs Res<Repro_Tensor, "the constant">:$result);
  let constraints = [
    Verified<"constant_c1", "`value` has the type of the result.",
             "failed to verify that all of {value, result} have same type", ["constant_c1"]>,
    Verified<"constant_c1", "`value` is dense, or a resource of as many bytes as its type has.",
             "attribute 'value' failed to satisfy constraint: TypedAttr instance dense or a resource of its size, of at most 2^29 bytes",
             ["constant_c1_resource", "constant_c1_sparse"]>,
    Verified<"constant_c2", "`value` has at most 2^29 bytes.",
             "attribute 'value' failed to satisfy constraint: TypedAttr instance dense or a resource of its size, of at most 2^29 bytes",
             ["constant_c2"]>];
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Repro_IotaOp : Repro_PureOp<"iota", [DeclareOpInterfaceMethods<Repro_SplitOpInterface>, Repro_KeepsElementOrder]> {
  let summary = "Index along a dimension";
  let description = [{
    Sets each element to its index along `dim`, modulo 2^width (g6).

    ```mlir
    %i = repro.iota dim 1 : tensor<2x3xi64>
    ```
  }];
  let arguments = (ins Arg<I64Attr, "the dimension">:$dim);
  let results = (outs Res<Repro_IntegerTensor, "the indices">:$result);
  let constraints = [
    Verified<"iota_c1", "0 <= `dim` < rank.", "dim ... is out of range for rank ...", ["iota_c1"]>,
    Verified<"iota_c1", "The element type is an integer of 8 to 64 bits.", "result #0 must be ...", ["iota_c1_type"]>];
  let assemblyFormat = "`dim` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Repro_ReshapeOp : Repro_PureOp<"reshape", [DeclareOpInterfaceMethods<Repro_SplitOpInterface>,
    Repro_ReadsWholeOperands, Repro_KeepsElementOrder,
    DeclareOpInterfaceMethods<Repro_BatchableOpInterface>]> {
  let summary = "Reshape";
  let description = [{
    Returns the elements of the operand in the same row-major order under another
    shape; all bits are kept (g4).

    ```mlir
    %y = repro.reshape %x : tensor<2x6xf32> to tensor<3x4xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_Tensor, "the operand">:$operand);
  let results = (outs Res<Repro_Tensor, "the operand under the new shape">:$result);
  let constraints = [
    Verified<"reshape_c1", "Operand and result have the same number of elements.",
             "turns ... elements into ...", ["reshape_c1"]>,
    Repro_SameElementType<["reshape_element"]>];
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Repro_TransposeOp : Repro_PureOp<"transpose", [DeclareOpInterfaceMethods<Repro_SplitOpInterface>,
    InferTypeOpAdaptor, Repro_ReadsWholeOperands,
    DeclareOpInterfaceMethods<Repro_BatchableOpInterface>]> {
  let summary = "Permutation of dimensions";
  let description = [{
    Permutes the dimensions: dimension k of the result is dimension
    `permutation[k]` of the operand. All bits are kept (g4).

    ```mlir
    %y = repro.transpose %x [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_Tensor, "the operand">:$operand,
                       Arg<DenseI64ArrayAttr, "operand dimension of each result dimension">:$permutation);
  let results = (outs Res<Repro_Tensor, "the transposed operand">:$result);
  let constraints = [
    Verified<"transpose_c1", "`permutation` is a permutation of the operand's dimensions.",
             "[...] is not a permutation of rank ...", ["transpose_c1"]>,
    Repro_InferredType<"Extent k of the result is extent `permutation[k]` of the operand; element types are the same.",
                       ["transpose_type"]>];
  let assemblyFormat = "$operand $permutation attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Repro_BroadcastOp : Repro_PureOp<"broadcast", [DeclareOpInterfaceMethods<Repro_SplitOpInterface>,
    Repro_ReadsWholeOperands, Repro_KeepsElementOrder,
    DeclareOpInterfaceMethods<Repro_BatchableOpInterface>, DeclareOpInterfaceMethods<Repro_PermutableOpInterface>]> {
  let summary = "Broadcast along new dimensions";
  let description = [{
    Makes dimension k of the operand dimension `dims[k]` of the result, and repeats
    the operand along the other dimensions. An extent of 1 does not stretch. All
    bits are kept (g4).

    ```mlir
    %y = repro.broadcast %x dims [1] : tensor<3xf32> to tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_Tensor, "the operand">:$operand,
                       Arg<DenseI64ArrayAttr, "result dimension of each operand dimension">:$dims);
  let results = (outs Res<Repro_Tensor, "the broadcast operand">:$result);
  let constraints = [
    Verified<"broadcast_c1", "`dims` has an entry for each dimension of the operand.",
             "has ... dims, expected ...", ["broadcast_c1_count"]>,
    Verified<"broadcast_c1", "`dims` increases, and its entries are dimensions of the result.",
             "dims [...] are not increasing below rank ...", ["broadcast_c1", "broadcast_c1_rank"]>,
    Verified<"broadcast_c2", "Extent k of the operand is extent `dims[k]` of the result.",
             "dimension ... has extent ..., expected ...", ["broadcast_c2"]>,
    Repro_SameElementType<["broadcast_element"]>];
  let assemblyFormat = "$operand `dims` $dims attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Repro_SliceOp : Repro_PureOp<"slice", [DeclareOpInterfaceMethods<Repro_SplitOpInterface>,
    InferTypeOpAdaptor, DeclareOpInterfaceMethods<Repro_BatchableOpInterface>,
    DeclareOpInterfaceMethods<Repro_PermutableOpInterface>]> {
  let summary = "Strided slice";
  let description = [{
    Returns every `stride`-th element from `start` up to `limit`, exclusive, along
    each dimension: element i of the result is element `start + i * stride` of the
    operand. All bits are kept (g4).

    ```mlir
    %y = repro.slice %x start [0, 1] limit [2, 6] stride [1, 2] : tensor<2x6xf32> to tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_Tensor, "the operand">:$operand,
                       Arg<DenseI64ArrayAttr, "first index of each dimension">:$start,
                       Arg<DenseI64ArrayAttr, "end of each dimension, exclusive">:$limit,
                       Arg<DenseI64ArrayAttr, "step of each dimension">:$stride);
  let results = (outs Res<Repro_Tensor, "the slice">:$result);
  let constraints = [
    Verified<"slice_c1", "`start`, `limit` and `stride` have an entry for each dimension.",
             "needs ... starts, limits and strides", ["slice_c1_count"]>,
    Verified<"slice_c1", "0 <= `start` <= `limit` <= extent in each dimension.",
             "start ... and limit ... do not fit extent ... of dimension ...", ["slice_c1"]>,
    Verified<"slice_c2", "`stride` >= 1 in each dimension.", "stride ... of dimension ... is below 1", ["slice_c2"]>,
    Repro_InferredType<"Each extent of the result is ceil((`limit` - `start`) / `stride`); element types are the same.",
                       ["slice_type"]>];
  let assemblyFormat = "$operand `start` $start `limit` $limit `stride` $stride attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Repro_PadOp : Repro_PureOp<"pad", [DeclareOpInterfaceMethods<Repro_SplitOpInterface>,
    InferTypeOpAdaptor, DeclareOpInterfaceMethods<Repro_PermutableOpInterface>]> {
  let summary = "Edge and interior padding";
  let description = [{
    Adds, along each dimension, `low` elements before the operand, `high` after it
    and `interior` between neighbors, all equal to `value`. All bits are kept (g4).

    ```mlir
    %y = repro.pad %x, %zero low [1] high [2] interior [0] : tensor<4xf32>, tensor<f32> to tensor<7xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_Tensor, "the operand">:$operand,
                       Arg<Repro_Tensor, "the padding element, of rank 0">:$value,
                       Arg<DenseI64ArrayAttr, "elements added before each dimension">:$low,
                       Arg<DenseI64ArrayAttr, "elements added after each dimension">:$high,
                       Arg<DenseI64ArrayAttr, "elements added between neighbors of each dimension">:$interior);
  let results = (outs Res<Repro_Tensor, "the padded operand">:$result);
  let constraints = [
    Verified<"pad_c1", "`low`, `high` and `interior` have an entry for each dimension.",
             "needs ... lows, highs and interiors", ["pad_c1_count"]>,
    Verified<"pad_c1", "All amounts are at least 0.", "pads by ..., which is negative", ["pad_c1"]>,
    Verified<"", "`value` has rank 0.", "pads with ..., expected a scalar", ["pad_value"]>,
    Verified<"", "`value` has the element type of the result.", "changes the element type from ... to ...",
             ["pad_element"]>,
    Repro_InferredType<"Each extent of the result is low + extent + max(extent - 1, 0) * interior + high; element types are the same.",
                       ["pad_type"]>];
  let assemblyFormat = "$operand `,` $value `low` $low `high` $high `interior` $interior attr-dict `:` type($operand) `,` type($value) `to` type($result)";
  let hasVerifier = 1;
}

def Repro_ConcatOp : Repro_PureOp<"concat", [DeclareOpInterfaceMethods<Repro_SplitOpInterface>,
    InferTypeOpAdaptor, Repro_ReadsWholeOperands,
    DeclareOpInterfaceMethods<Repro_BatchableOpInterface>, DeclareOpInterfaceMethods<Repro_PermutableOpInterface>]> {
  let summary = "Concatenation along a dimension";
  let description = [{
    Concatenates the operands along `dim`, in order; all bits are kept (g4).

    ```mlir
    %y = repro.concat %a, %b dim 0 : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
    ```
  }];
  let arguments = (ins Arg<Variadic<Repro_Tensor>, "the operands">:$operands, Arg<I64Attr, "the dimension">:$dim);
  let results = (outs Res<Repro_Tensor, "the concatenated operands">:$result);
  let constraints = [
    Verified<"", "At least one operand is given.", "has no operands", ["concat_of_nothing"]>,
    Verified<"", "0 <= `dim` < rank.", "dim ... is out of range for rank ...", ["concat_dim"]>,
    Verified<"concat_c1", "The operands have the same element type, and the same extents except along `dim`.",
             "joins ... and ... along dim ...", ["concat_c1", "concat_c1_element"]>,
    Repro_InferredType<"The result's extent along `dim` is the sum of the operands'; otherwise its type is that of the operands.",
                       ["concat_type"]>];
  let assemblyFormat = "$operands `dim` $dim attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Repro_ReverseOp : Repro_PureOp<"reverse", [DeclareOpInterfaceMethods<Repro_SplitOpInterface>,
    SameOperandsAndResultType, Repro_ReadsWholeOperands]> {
  let summary = "Reversal along dimensions";
  let description = [{
    Reverses the elements along each dimension in `dims`: element i of the result
    is element `extent - 1 - i` of the operand. All bits are kept (g4).

    ```mlir
    %y = repro.reverse %x dims [0] : tensor<4xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_Tensor, "the operand">:$operand,
                       Arg<DenseI64ArrayAttr, "the dimensions to reverse">:$dims);
  let results = (outs Res<Repro_Tensor, "the reversed operand">:$result);
  let constraints = [
    Verified<"", "Operand and result have the same type.", "requires the same type for all operands and results",
             ["reverse_type"]>,
    Verified<"reverse_c1", "`dims` are distinct dimensions of the operand.",
             "dims [...] are not distinct below rank ...", ["reverse_c1"]>];
  let assemblyFormat = "$operand `dims` $dims attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif
