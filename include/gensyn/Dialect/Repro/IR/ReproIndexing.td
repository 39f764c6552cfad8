//===- ReproIndexing.td - elements at computed indices ----------*- tablegen -*-===//
//
// One form for table lookups, dynamic slices, frames, diagonals and their
// gradients: affine maps with a symbol for each index that is data.
//
//===--------------------------------------------------------------------------===//

#ifndef GENSYN_DIALECT_REPRO_IR_REPROINDEXING_TD
#define GENSYN_DIALECT_REPRO_IR_REPROINDEXING_TD

include "gensyn/Dialect/Repro/IR/ReproBase.td"

def Repro_GatherOp : Repro_PureOp<"gather", [DeclareOpInterfaceMethods<Repro_FaultOpInterface>]> {
  let summary = "Gather at computed indices";
  let description = [{
    `result[d] = data[m(d, s)]` with `s_j = indices_j[m_j(d)]`. `maps` has m, then
    one m_j per index operand. Each expression of m is a sum of `c * d_i`, a
    constant and at most one symbol (gather_c1); each m_j is a projected
    permutation (gather_c2). Where an index is out of range the element is +0
    and, with `bounds fault`, the op faults at that element of the result (g7);
    indices are not wrapped (gather_r1).

    ```mlir
    %y = repro.gather %table[%ids] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<100x8xf32>, tensor<16xi64> -> tensor<16x8xf32>
    ```
  }];
  let arguments = (ins Repro_Tensor:$data, Variadic<Repro_IndexTensor>:$indices,
                       AffineMapArrayAttr:$maps, Repro_IndexBoundAttr:$bounds);
  let results = (outs Repro_Tensor:$result);
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

def Repro_ScatterOp : Repro_PureOp<"scatter", [DeclareOpInterfaceMethods<Repro_FaultOpInterface>,
    DeclareOpInterfaceMethods<Repro_ColumnOpInterface>, AllTypesMatch<["base", "result"]>]> {
  let summary = "Scatter at computed indices";
  let description = [{
    The result is `base`; then, for each element u of `updates` in ascending
    row-major index, `result[m(u, s)] = kind(result[m(u, s)], updates[u])` with
    `s_j = indices_j[m_j(u)]`. Of several `set` the last stays (scatter_r1);
    `add` is sequential from the base element, whose -0 counts (scatter_r2). An
    update out of range is dropped and, with `bounds fault`, the op faults at it
    (scatter_r3). Maps as in `gather`, over the elements of `updates`.

    ```mlir
    %y = repro.scatter add %base, %updates[%ids] maps [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1) -> (d0)>]
        bounds fault : tensor<100x8xf32>, tensor<16x8xf32>, tensor<16xi64>
    ```
  }];
  let arguments = (ins Repro_ScatterKindAttr:$kind, Repro_Tensor:$base, Repro_Tensor:$updates,
                       Variadic<Repro_IndexTensor>:$indices,
                       AffineMapArrayAttr:$maps, Repro_IndexBoundAttr:$bounds);
  let results = (outs Repro_Tensor:$result);
  let assemblyFormat = [{
    `` $kind $base `,` $updates `[` $indices `]` `maps` $maps `bounds` `` $bounds attr-dict
    `:` type($base) `,` type($updates) (`,` type($indices)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Map 0 leads from an update (and the indices found) to the result, map
    /// j + 1 to index operand j.
    ::mlir::AffineMap getMap(unsigned number) { return ::llvm::cast<::mlir::AffineMapAttr>(getMaps()[number]).getValue(); }
  }];
}

#endif
