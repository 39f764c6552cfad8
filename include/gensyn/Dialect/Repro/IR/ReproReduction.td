//===- ReproReduction.td - contractions and reductions ----------*- tablegen -*-===//
//
// One form for all: a domain of iterators and an affine map of each tensor.
// Matmul, einsum, convolution, pooling and their gradients are two ops.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROREDUCTION_TD
#define GENSYN_DIALECT_REPRO_IR_REPROREDUCTION_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

def Repro_ContractOp : Repro_PureOp<"contract", [Repro_DomainOpInterface,
    DeclareOpInterfaceMethods<Repro_OrderedOpInterface>]> {
  let summary = "Sum of products over a domain";
  let description = [{
    For each result element, the sum of a * b over its points. One step is
    acc = fma(a, b, acc) from +0, partial results of the order are added
    (contract_r2), and a zero result is +0 (contract_r3). `bounds` says per
    operand what an index outside it means (contract_c2): `in`, none occurs;
    `zero`, the element is +0 and takes part; `skip`, the point is left out.
    Integer sums wrap and have no order (contract_c3).

    ```mlir
    %c = repro.contract %a, %b domain <[4, 6, 5], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
              affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<4x5xf32>, tensor<5x6xf32> -> tensor<4x6xf32>
    ```
  }];
  let arguments = (ins Repro_Tensor:$lhs, Repro_Tensor:$rhs, Repro_DomainAttr:$domain,
                       AffineMapArrayAttr:$maps, DenseI32ArrayAttr:$bounds,
                       OptionalAttr<Repro_OrderAttr>:$order);
  let results = (outs Repro_NumberTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `domain` $domain `maps` $maps `bounds` custom<Bounds>($bounds)
    (`order` custom<Order>($order)^)? attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = [{
    ::mlir::AffineMap getMap(unsigned tensor) { return ::llvm::cast<::mlir::AffineMapAttr>(getMaps()[tensor]).getValue(); }
    ::gensyn::repro::Bound getBound(unsigned operand) { return static_cast<Bound>(getBounds()[operand]); }
  }];
}

def Repro_ReduceOp : Repro_PureOp<"reduce", [Repro_DomainOpInterface,
    DeclareOpInterfaceMethods<Repro_OrderedOpInterface>]> {
  let summary = "Reduction over a domain";
  let description = [{
    `sum` from +0, `product` from 1, `max` from -Inf, `min` from +Inf, `and`,
    `or` (reduce_r1). Points outside the operand are left out. Float sums and
    products carry an order, the others need none (reduce_c1). Without a window
    the reduced dimensions are adjacent (reduce_c2).

    ```mlir
    %s = repro.reduce sum %x domain <[4, 128], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        order lanes<32> : tensor<4x128xf32> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Repro_ReduceKindAttr:$kind, Repro_Tensor:$operand, Repro_DomainAttr:$domain,
                       AffineMapArrayAttr:$maps, OptionalAttr<Repro_OrderAttr>:$order);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = [{
    `` $kind $operand `domain` $domain `maps` $maps (`order` custom<Order>($order)^)? attr-dict
    `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::AffineMap getMap(unsigned tensor) { return ::llvm::cast<::mlir::AffineMapAttr>(getMaps()[tensor]).getValue(); }
    /// True where every operand index is a single iterator: no window.
    bool isRowForm();
  }];
}

def Repro_ArgReduceOp : Repro_PureOp<"arg_reduce", [Repro_DomainOpInterface]> {
  let summary = "Index of the maximum or minimum";
  let description = [{
    The row-major number of the greatest or least point in the total order (g5);
    a NaN beats all; ties go to the first, or to the last with `last`; -1 where
    there is no point (arg_r1). Fewer than 2^31 points (arg_c1). No gradient flows.

    ```mlir
    %i = repro.arg_reduce max %x domain <[4, 10], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        : tensor<4x10xf32> -> tensor<4xi32>
    ```
  }];
  let arguments = (ins Repro_ArgKindAttr:$kind, UnitAttr:$last, Repro_Tensor:$operand,
                       Repro_DomainAttr:$domain, AffineMapArrayAttr:$maps);
  let results = (outs Repro_TensorOf<[I32]>:$result);
  let assemblyFormat = [{
    `` $kind (`last` $last^)? $operand `domain` $domain `maps` $maps attr-dict
    `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::AffineMap getMap(unsigned tensor) { return ::llvm::cast<::mlir::AffineMapAttr>(getMaps()[tensor]).getValue(); }
  }];
}

#endif
