//===- ReproPrefix.td - scans and sorting -----------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROPREFIX_TD
#define GENSYN_DIALECT_REPRO_IR_REPROPREFIX_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

def Repro_ScanOp : Repro_PureOp<"scan", [SameOperandsAndResultType,
    DeclareOpInterfaceMethods<Repro_SplitOpInterface, ["getSplits", "buildJoin"]>,
    DeclareOpInterfaceMethods<Repro_OrderedOpInterface>, DeclareOpInterfaceMethods<Repro_ColumnOpInterface>]> {
  let summary = "Inclusive scan along a dimension";
  let description = [{
    Combines elements 0 to i along `dim` into element i of the result, by `sum`,
    `product`, `max` or `min` (scan_r1). Sums and products of floats need an order.
    `sequential` is one chain. `blocked<B, sequential, sequential>` computes the
    prefixes of each block of B elements and combines them with the last result of
    the block before.

    ```mlir
    %y = repro.scan sum %x dim 1 order sequential : tensor<4x100xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_ReduceKindAttr, "the combining operation">:$kind,
                       Arg<Repro_NumberTensor, "the operand">:$operand, Arg<I64Attr, "the dimension">:$dim,
                       Arg<OptionalAttr<Repro_OrderAttr>, "the order of a float sum or product; assigned before the freeze">:$order);
  let results = (outs Res<Repro_NumberTensor, "the prefixes">:$result);
  let constraints = [
    Verified<"", "Operand and result have the same type.", "requires the same type for all operands and results",
             ["scan_type"]>,
    Verified<"", "0 <= `dim` < rank.", "dim ... is out of range for rank ...", ["scan_dim"]>,
    Verified<"scan_c1", "`kind` is neither `and` nor `or`.", "has no prefixes by ...", ["scan_c1_kind"]>,
    Verified<"scan_c1", "Only a float sum or product has an order.", "has an order, but ... of ... needs none",
             ["scan_c1_integers"]>,
    Repro_Ordered<"scan_c1", ["scan_c1_frozen"]>,
    Verified<"scan_c1", "The order is `sequential` or `blocked<B, sequential, sequential>`.",
             "has order ..., expected sequential or blocked<B, sequential, sequential>",
             ["scan_c1", "scan_c1_exact"]>];
  let assemblyFormat = [{
    `` $kind $operand `dim` $dim (`order` custom<Order>($order)^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Repro_SortOp : Repro_PureOp<"sort", [DeclareOpInterfaceMethods<Repro_SplitOpInterface, ["getSplits"]>,
    DeclareOpInterfaceMethods<Repro_ColumnOpInterface>]> {
  let summary = "Stable sort along a dimension";
  let description = [{
    Sorts along `dim` by the total order (g5) and returns the first `count` values
    with their positions in the operand. Equal elements stay in the order of their
    positions, in both directions. NaNs come last when ascending and first when
    descending (sort_r1).

    ```mlir
    %values, %positions = repro.sort descending %x dim 1 count 5
        : tensor<4x100xf32> -> tensor<4x5xf32>, tensor<4x5xi32>
    ```
  }];
  let arguments = (ins Arg<Repro_SortDirectionAttr, "`ascending` or `descending`">:$direction,
                       Arg<Repro_Tensor, "the operand">:$operand, Arg<I64Attr, "the dimension">:$dim,
                       Arg<I64Attr, "number of values to return">:$count);
  let results = (outs Res<Repro_Tensor, "the first `count` values">:$values,
                      Res<Repro_TensorOf<[I32]>, "their positions along `dim`">:$positions);
  let constraints = [
    Verified<"", "0 <= `dim` < rank.", "dim ... is out of range for rank ...", ["sort_dim"]>,
    Verified<"sort_c1", "0 <= `count` <= extent < 2^31.",
             "takes ... of ... elements, expected at most all of fewer than 2^31", ["sort_c1", "sort_c1_negative"]>,
    Verified<"sort_c1", "The values have the type of the operand with `count` along `dim`.",
             "gives ..., expected ...", ["sort_c1_values"]>,
    Verified<"sort_c1", "The positions have the shape of the values.", "gives positions ... of values ...",
             ["sort_c1_positions"]>,
    Verified<"sort_c2", "The element type is computed with (g1).", "orders ..., which is only stored", ["sort_c2"]>];
  let assemblyFormat = [{
    `` $direction $operand `dim` $dim `count` $count attr-dict
    `:` type($operand) `->` type($values) `,` type($positions)
  }];
  let hasVerifier = 1;
}

#endif
