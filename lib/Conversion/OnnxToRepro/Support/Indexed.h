// Accesses to elements at data-dependent indices, as gather and scatter.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_INDEXED_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_INDEXED_H

#include "NodeBuilder.h"

namespace gensyn::onnx_to_repro {

using Exprs = llvm::SmallVector<mlir::AffineExpr>;

/// Maps an iteration point to an element: an expression per dimension of the
/// data, in iterators and in `index(j)`; and the iterators of each index
/// operand.
class IndexMaps {
public:
  IndexMaps(NodeBuilder &b, int64_t rank) : b(b), rank(rank) {}

  /// The index at the point in `indices`, a tensor of i32 or i64 whose
  /// dimensions are those iterators.
  mlir::AffineExpr add(mlir::Value indices, llvm::ArrayRef<int64_t> iterators);

  /// The element at `place` for each point of `shape`.
  mlir::Value gather(mlir::Value data, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<mlir::AffineExpr> place,
                     repro::IndexBound bounds = repro::IndexBound::Fault);
  mlir::Value scatter(repro::ScatterKind kind, mlir::Value base,
                      mlir::Value updates,
                      llvm::ArrayRef<mlir::AffineExpr> place,
                      repro::IndexBound bounds = repro::IndexBound::Fault);

private:
  mlir::ArrayAttr maps(llvm::ArrayRef<mlir::AffineExpr> place);

  NodeBuilder &b;
  int64_t rank;
  Values operands;
  llvm::SmallVector<Exprs> leads;
};

/// The elements of `data` at `indices` along dimension `dim`, which is replaced
/// by the dimensions of `indices`.
mlir::Value gatherAlong(NodeBuilder &b, mlir::Value data, mlir::Value indices,
                        int64_t dim,
                        repro::IndexBound bounds = repro::IndexBound::Fault);

/// `indices` with `extent` added to negative ones, which count from the end.
mlir::Value fromEnd(NodeBuilder &b, mlir::Value indices, int64_t extent);

/// The indices of a constant list, along one dimension.
mlir::Value constantIndices(NodeBuilder &b, llvm::ArrayRef<int64_t> indices);

} // namespace gensyn::onnx_to_repro

#endif
