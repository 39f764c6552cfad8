//===- ReproPrefix.td - scans and sorting -----------------------*- tablegen -*-===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROPREFIX_TD
#define GENSYN_DIALECT_REPRO_IR_REPROPREFIX_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

def Repro_ScanOp : Repro_PureOp<"scan", [SameOperandsAndResultType,
    DeclareOpInterfaceMethods<Repro_OrderedOpInterface>, DeclareOpInterfaceMethods<Repro_ColumnOpInterface>]> {
  let summary = "Inclusive scan along a dimension";
  let description = [{
    Element [.., i, ..] combines the elements 0 to i along `dim` by `sum`,
    `product`, `max` or `min`. Float sums and products carry an order
    (scan_c1): `sequential`, or `blocked<B, sequential, sequential>`, where each
    block's prefixes are joined to the total of the blocks before it (scan_r1).

    ```mlir
    %y = repro.scan sum %x dim 1 order sequential : tensor<4x100xf32>
    ```
  }];
  let arguments = (ins Repro_ReduceKindAttr:$kind, Repro_NumberTensor:$operand, I64Attr:$dim,
                       OptionalAttr<Repro_OrderAttr>:$order);
  let results = (outs Repro_NumberTensor:$result);
  let assemblyFormat = [{
    `` $kind $operand `dim` $dim (`order` custom<Order>($order)^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Repro_SortOp : Repro_PureOp<"sort", [DeclareOpInterfaceMethods<Repro_ColumnOpInterface>]> {
  let summary = "Stable sort along a dimension, with positions";
  let description = [{
    Sorts by the total order (g5), stably: equal elements keep their positions'
    order in both directions (sort_r1). NaN comes last when ascending and first
    when descending. The results are the first `count` values and their
    positions (sort_c1: count <= extent < 2^31).

    ```mlir
    %values, %positions = repro.sort descending %x dim 1 count 5
        : tensor<4x100xf32> -> tensor<4x5xf32>, tensor<4x5xi32>
    ```
  }];
  let arguments = (ins Repro_SortDirectionAttr:$direction, Repro_Tensor:$operand, I64Attr:$dim, I64Attr:$count);
  let results = (outs Repro_Tensor:$values, Repro_TensorOf<[I32]>:$positions);
  let assemblyFormat = [{
    `` $direction $operand `dim` $dim `count` $count attr-dict
    `:` type($operand) `->` type($values) `,` type($positions)
  }];
  let hasVerifier = 1;
}

#endif
