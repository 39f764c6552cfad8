//===- ReproIndexing.td - elements at computed indices ----------*- tablegen -*-===//
//
// Table lookup, dynamic slices, frames, diagonals and their gradients have one
// form: affine maps with a symbol for each index that is data.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROINDEXING_TD
#define GENSYN_DIALECT_REPRO_IR_REPROINDEXING_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

// Constraints on maps, which gather and scatter share; `op` begins the names of
// the tests.
class Repro_MapConstraints<string label1, string label2, string label3, string op> {
  list<Verified> maps = [
    Verified<label1, "`maps` has a map for the data and one for each of `indices`.",
             "has ... maps, expected ...", [op # "_number_of_maps"]>,
    Verified<label1, "Each map has the expected number of iterators, symbols and results.",
             "map ... leads from ... iterators and ... indices to ... dimensions, expected ..., ... and ...", [op # "_maps"]>,
    Verified<label1, "Each expression of map 0 is a sum of multiples of iterators, a constant and at most one symbol, which has the coefficient 1.",
             "map 0 has an expression that is not a sum of multiples of iterators, a constant and at most one index",
             [op # "_linear"]>,
    Verified<label1, "Without its symbol, each expression of map 0 stays within 2^62 in magnitude.",
             "map 0 has an expression that goes beyond 2^62", [op # "_reach"]>,
    Verified<label2, "Each further map is a projected permutation.",
             "map ... is not a projected permutation", [op # "_permutation"]>,
    Verified<label2, "Each extent of an index operand is that of the iterator which its map names.",
             "index ... has extent ... in dimension ..., expected ...", [op # "_extent"]>,
    Verified<label2, "The index operands are i32 or i64.", "operand #... must be ...", [op # "_index_type"]>,
    Verified<label3, "`bounds` is `fault` or `zero`.", "to be one of: fault, zero", [op # "_bounds"]>];
}

def Repro_GatherOp : Repro_PureOp<"gather", [DeclareOpInterfaceMethods<Repro_SplitOpInterface>,
    DeclareOpInterfaceMethods<Repro_FaultOpInterface>,
    DeclareOpInterfaceMethods<Repro_BatchableOpInterface>]> {
  let summary = "Gather at computed indices";
  let description = [{
    Computes `result[d] = data[m(d, s)]`, where `s_j = indices_j[m_j(d)]`. Map 0 of
    `maps` is m: it maps an element d of the result, and the indices s found there,
    to an element of `data`. Map j + 1 is m_j, which maps d to an element of index
    operand j.

    Indices are not wrapped. If one is out of range, the element is +0 and, with
    `bounds fault`, the op faults at that element of the result (g7, gather_r1).

    ```mlir
    %y = repro.gather %table[%ids] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<100x8xf32>, tensor<16xi64> -> tensor<16x8xf32>
    ```
  }];
  let arguments = (ins Arg<Repro_Tensor, "the tensor that is read">:$data,
                       Arg<Variadic<Repro_IndexTensor>, "the indices">:$indices,
                       Arg<AffineMapArrayAttr, "the map to the data, then one map to each index operand">:$maps,
                       Arg<Repro_IndexBoundAttr, "handling of an out-of-range index">:$bounds);
  let results = (outs Res<Repro_Tensor, "the gathered elements">:$result);
  let constraints = [Verified<"gather_c4", "`data` and the result have the same element type.",
                              "changes the element type from ... to ...", ["gather_c4"]>]
      # Repro_MapConstraints<"gather_c1", "gather_c2", "gather_c3", "gather">.maps;
  let assemblyFormat = [{
    $data `[` $indices `]` `maps` $maps `bounds` `` $bounds attr-dict
    `:` type($data) (`,` type($indices)^)? `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Map 0 leads from an element of the result (and the indices found) to the
    /// data, map j + 1 to index operand j.
    ::mlir::AffineMap getMap(unsigned number) { return ::llvm::cast<::mlir::AffineMapAttr>(getMaps()[number]).getValue(); }
  }];
}

def Repro_ScatterOp : Repro_PureOp<"scatter", [DeclareOpInterfaceMethods<Repro_SplitOpInterface, ["getSplits"]>,
    DeclareOpInterfaceMethods<Repro_FaultOpInterface, ["getFaultExtents", "getFaultTile"]>,
    DeclareOpInterfaceMethods<Repro_ColumnOpInterface>, AllTypesMatch<["base", "result"]>]> {
  let summary = "Scatter at computed indices";
  let description = [{
    Starts from `base` and applies, for each element u of `updates` in ascending
    row-major order, `result[m(u, s)] = kind(result[m(u, s)], updates[u])`, where
    `s_j = indices_j[m_j(u)]`. Maps have the form that `repro.gather` describes,
    over the elements of `updates`.

    - If several updates `set` one element, the last one is kept (scatter_r1).
    - The other kinds apply updates one after another, from the element of `base` as
      it is; a -0 counts (scatter_r2).
    - An update out of range is dropped and, with `bounds fault`, the op faults at
      that element of `updates` (g7, scatter_r3).
    - The result may be a part of a larger tensor, whose other parts get the same
      updates. `within` then has the indices that do not fault, a beginning and an end
      (excluded) for each dimension, counted from the result's first element (scatter_r4).

    ```mlir
    %y = repro.scatter add %base, %updates[%ids] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<100x8xf32>, tensor<16x8xf32>, tensor<16xi64>
    ```
  }];
  let arguments = (ins Arg<Repro_ScatterKindAttr, "the combining operation">:$kind,
                       Arg<Repro_Tensor, "the initial result">:$base, Arg<Repro_Tensor, "the updates">:$updates,
                       Arg<Variadic<Repro_IndexTensor>, "the indices">:$indices,
                       Arg<AffineMapArrayAttr, "the map to the result, then one map to each index operand">:$maps,
                       Arg<Repro_IndexBoundAttr, "handling of an out-of-range index">:$bounds,
                       Arg<OptionalAttr<DenseI64ArrayAttr>, "the indices that do not fault">:$within);
  let results = (outs Res<Repro_Tensor, "the updated tensor">:$result);
  let constraints = [
    Verified<"scatter_c1", "`base` and the result have the same type.",
             "failed to verify that all of {base, result} have same type", ["scatter_c1_result"]>,
    Verified<"scatter_c1", "`base` and `updates` have the same element type.",
             "meets elements of type ... with updates of type ...", ["scatter_c1_types"]>,
    Verified<"scatter_c1", "Kinds other than `set` have an element type that is computed with (g1), except i1.",
             "combines ... by ...", ["scatter_c1", "scatter_c1_logical"]>,
    Verified<"scatter_c3", "`within` has the result's indices, and stays within 2^62 in magnitude.",
             "does not fault within [...], expected a beginning and an end for each of ... dimensions, around the result's indices",
             ["scatter_within_size", "scatter_within_range"]>]
      # Repro_MapConstraints<"scatter_c2", "scatter_c2", "scatter_c2", "scatter">.maps;
  let assemblyFormat = [{
    `` $kind $base `,` $updates `[` $indices `]` `maps` $maps `bounds` `` $bounds
    (`within` $within^)? attr-dict
    `:` type($base) `,` type($updates) (`,` type($indices)^)?
  }];
  // A scatter to a whole tensor.
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "ScatterKind":$kind, "::mlir::Value":$base,
                                 "::mlir::Value":$updates, "::mlir::ValueRange":$indices, "::mlir::ArrayAttr":$maps,
                                 "IndexBound":$bounds),
                            [{ build($_builder, $_state, type, kind, base, updates, indices, maps, bounds, nullptr); }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The indices of a dimension that do not fault: [begin, end).
    std::pair<int64_t, int64_t> getValid(unsigned dimension);
    /// Map 0 leads from an update (and the indices found) to the result, map
    /// j + 1 to index operand j.
    ::mlir::AffineMap getMap(unsigned number) { return ::llvm::cast<::mlir::AffineMapAttr>(getMaps()[number]).getValue(); }
  }];
}

#endif
