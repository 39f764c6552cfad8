//===- ReproReduction.td - contractions and reductions ----------*- tablegen -*-===//
//
// All have one form: a domain of iterators, and an affine map for each tensor.
// Matrix products, einsum, convolution, pooling and their gradients are two ops.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROREDUCTION_TD
#define GENSYN_DIALECT_REPRO_IR_REPROREDUCTION_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

// Constraints on domain and maps (verifyDomain), which all ops with a domain share.
defvar Repro_DomainConstraints = [
  Verified<"", "The reduced iterators increase and are iterators of the domain.",
           "reduced iterators [...] are not increasing below ...", ["domain_reduced"]>,
  Verified<"", "Extents are at least 0.", "an iterator has the negative extent ...", ["domain_negative_extent"]>,
  Verified<"g2", "A result element has at most 2^40 points.", "reduces more than 2^40 points", ["domain_g2"]>,
  Verified<"", "`maps` has a map for each operand and one for the result.", "has ... maps, expected ...",
           ["domain_number_of_maps"]>,
  Verified<"", "Each map has an expression for each dimension of its tensor.",
           "map ... has ... indices, expected ...", ["domain_rank_of_map"]>,
  Verified<"domain_c1", "Each expression of a map is linear in the iterators.",
           "has a map that is not linear in the ... iterators", ["domain_c1_linear"]>,
  Verified<"domain_c1", "Each expression of a map has at most two iterators.",
           "an index of map ... has more than two iterators", ["domain_c1"]>,
  Verified<"domain_c2", "The result's map has no reduced iterator.",
           "index ... of the result uses the reduced iterator d...", ["domain_c2"]>,
  Verified<"domain_c3", "Each iterator stands in at most one index of the result.",
           "iterator d... stands in two indices of the result", ["domain_c3_diagonal"]>,
  Verified<"domain_c3", "Each parallel iterator whose extent is more than 1 stands in an index of the result.",
           "the parallel iterator d... stands in no index of the result", ["domain_c3_missing"]>,
  Verified<"domain_c3", "Different tuples of parallel iterators lead to different elements of the result.",
           "index ... of the result reaches an element twice", ["domain_c3"]>,
  Verified<"domain_c4", "Iterators that share an expression form a window group of shape W or P.",
           "an index is neither s*o + d*k + c nor q - d*t", ["domain_c4_shape"]>,
  Verified<"domain_c4", "A window group has one input index.", "a window group has two input indices", ["domain_c4"]>,
  Verified<"domain_c4", "An iterator belongs to at most one window group.",
           "an iterator belongs to two window groups", ["domain_c4_iterator"]>,
  Verified<"domain_c5", "The domain has at most 2^60 points.", "the domain has more than 2^60 points",
           ["domain_c5_points"]>,
  Verified<"domain_c5", "Numbers in a map are at most 2^40 in magnitude, and its values at most 2^60.",
           "an index of map ... has a number beyond 2^40 or goes beyond 2^60",
           ["domain_c5_coefficient", "domain_c5_range"]>];

def Repro_ContractOp : Repro_PureOp<"contract", [Repro_DomainOpInterface,
    DeclareOpInterfaceMethods<Repro_SplitOpInterface, ["getSplits", "getSplitExtents", "buildJoin"]>,
    DeclareOpInterfaceMethods<Repro_OrderedOpInterface>, DeclareOpInterfaceMethods<Repro_BatchableOpInterface>,
    DeclareOpInterfaceMethods<Repro_PermutableOpInterface>]> {
  let summary = "Sum of products over a domain";
  let description = [{
    Sums `lhs * rhs` over the points of each result element. Operands of a narrower
    type are widened first, exactly (contract_r1). One step is `acc = fma(a, b, acc)`,
    starting at +0; partial results of the order are added (contract_r2). A result of
    zero is +0 (contract_r3). Result indices out of range are dropped (domain_r1).
    Integer sums wrap and need no order.

    `bounds` gives for each operand the meaning of an index out of its range: `in`,
    none occurs; `zero`, the element reads as +0; `skip`, the point is left out.

    ```mlir
    %c = repro.contract %a, %b domain <[4, 6, 5], reduce [2]>
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
              affine_map<(d0, d1, d2) -> (d0, d1)>]
        bounds [in, in] order sequential : tensor<4x5xf32>, tensor<5x6xf32> -> tensor<4x6xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_Tensor, "the first factor">:$lhs, Arg<Repro_Tensor, "the second factor">:$rhs,
                       Arg<Repro_DomainAttr, "the iteration space">:$domain,
                       Arg<AffineMapArrayAttr, "maps from iterators to indices of `lhs`, `rhs` and the result">:$maps,
                       Arg<DenseI32ArrayAttr, "for each operand `in`, `zero` or `skip`">:$bounds,
                       Arg<OptionalAttr<Repro_OrderAttr>, "the order of a float sum; assigned before the freeze">:$order);
  let results = (outs Res<Repro_NumberTensor, "the sums">:$result);
  let constraints = Repro_DomainConstraints # [
    Verified<"contract_c1", "Operands of a float result are floats that are not wider; operands of an integer result are integers of its signedness that are not wider.",
             "contracts ... to ...", ["contract_c1", "contract_c1_signedness"]>,
    Verified<"contract_c1", "The result is computed with (g1).", "result #0 must be ...", ["contract_c1_narrow"]>,
    Verified<"contract_c2", "`bounds` has an entry for each operand.", "has ... bounds, expected 2",
             ["contract_c2_count"]>,
    Verified<"contract_c2", "Each entry of `bounds` is `in`, `zero` or `skip`.", "'...' is none of in, zero, skip",
             ["contract_c2_word"]>,
    Verified<"contract_c2", "No index of an operand whose bound is `in` is out of range.",
             "operand ... is indexed outside its shape, but its bound is 'in'", ["contract_c2"]>,
    Verified<"contract_c3", "An integer sum has no order.", "has an order, but integer sums need none",
             ["contract_c3"]>,
    Repro_Ordered<"contract_c3", ["contract_c3_frozen"]>];
  let assemblyFormat = [{
    $lhs `,` $rhs `domain` $domain `maps` $maps `bounds` custom<Bounds>($bounds)
    (`order` custom<Order>($order)^)? attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = [{
    ::mlir::AffineMap getMap(unsigned tensor) { return ::llvm::cast<::mlir::AffineMapAttr>(getMaps()[tensor]).getValue(); }
    ::gensyn::repro::Bound getBound(unsigned operand) { return static_cast<Bound>(getBounds()[operand]); }
    /// Changes the operand's map, so that the operand may be the one that a transpose
    /// with the permutation had.
    void readUntransposed(unsigned operand, ::llvm::ArrayRef<int64_t> permutation);
  }];
}

def Repro_ReduceOp : Repro_PureOp<"reduce", [Repro_DomainOpInterface,
    DeclareOpInterfaceMethods<Repro_SplitOpInterface, ["getSplits", "getSplitExtents", "buildJoin"]>,
    DeclareOpInterfaceMethods<Repro_OrderedOpInterface>, DeclareOpInterfaceMethods<Repro_PermutableOpInterface>]> {
  let summary = "Reduction over a domain";
  let description = [{
    Combines the points of each result element by `kind`, starting at its identity:
    `sum` at +0, `product` at 1, `max` at -Inf, `min` at +Inf, `and` at all ones, `or`
    at 0 (reduce_r1). Points out of the operand's range are left out. Sums and
    products of floats need an order; the other kinds give the same bits in any.
    Result indices out of range are dropped (domain_r1).

    ```mlir
    %s = repro.reduce sum %x domain <[4, 128], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        order lanes<32> : tensor<4x128xf32> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_ReduceKindAttr, "the combining operation">:$kind,
                       Arg<Repro_Tensor, "the operand">:$operand, Arg<Repro_DomainAttr, "the iteration space">:$domain,
                       Arg<AffineMapArrayAttr, "maps from iterators to indices of the operand and of the result">:$maps,
                       Arg<OptionalAttr<Repro_OrderAttr>, "the order of a float sum or product; assigned before the freeze">:$order);
  let results = (outs Res<Repro_Tensor, "the combined points">:$result);
  let constraints = Repro_DomainConstraints # [
    Verified<"", "Operand and result have the same element type.", "reduces ... to ...", ["reduce_element"]>,
    Verified<"reduce_c1", "Only a float sum or product has an order.", "has an order, but ... of ... needs none",
             ["reduce_c1"]>,
    Repro_Ordered<"reduce_c1", ["reduce_c1_frozen"]>,
    Verified<"reduce_c1", "The order of a product is not `exact`.",
             "has order exact, which is for sums: a product has as many bits as all its factors together",
             ["reduce_c1_exact_product"]>,
    Verified<"reduce_c2", "Without a window group the reduced dimensions are adjacent.",
             "reduces dimensions that are not adjacent", ["reduce_c2"]>,
    Verified<"reduce_c3", "`and` and `or` have an element type of i1 or an integer of 8 to 64 bits, the other kinds one that is computed with (g1), except i1.",
             "combines ... by ...", ["reduce_c3", "reduce_c3_narrow", "reduce_c3_logical"]>];
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

def Repro_ArgReduceOp : Repro_PureOp<"arg_reduce", [Repro_DomainOpInterface,
    DeclareOpInterfaceMethods<Repro_SplitOpInterface, ["getSplits", "getSplitExtents"]>]> {
  let summary = "Index of the maximum or minimum";
  let description = [{
    Returns, for each result element, the row-major number of its greatest or least
    point in the total order (g5). A NaN is both the greatest and the least. Among
    equal points the first is taken, or the last with `last`. Without points the
    result is -1 (arg_r1). The derivative is zero.

    ```mlir
    %i = repro.arg_reduce max %x domain <[4, 10], reduce [1]>
        maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
        : tensor<4x10xf32> -> tensor<4xi32>
    ```
  }];
  let arguments = (ins Arg<Repro_ArgKindAttr, "`max` or `min`">:$kind,
                       Arg<UnitAttr, "take the last of equal points, not the first">:$last,
                       Arg<Repro_Tensor, "the operand">:$operand, Arg<Repro_DomainAttr, "the iteration space">:$domain,
                       Arg<AffineMapArrayAttr, "maps from iterators to indices of the operand and of the result">:$maps);
  let results = (outs Res<Repro_TensorOf<[I32]>, "the numbers of the points">:$result);
  let constraints = Repro_DomainConstraints # [
    Verified<"arg_c1", "A result element has fewer than 2^31 points.", "has ... points, expected fewer than 2^31",
             ["arg_c1"]>,
    Verified<"arg_c2", "Without a window group the reduced dimensions are adjacent.",
             "reduces dimensions that are not adjacent", ["arg_c2"]>,
    Verified<"arg_c3", "The element type of the operand is computed with (g1).", "compares ..., which is storage",
             ["arg_c3"]>];
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
