// The cuts that an order permits.

#ifndef GENSYN_LIB_DIALECT_REPRO_SPLIT_SPLITORDER_H
#define GENSYN_LIB_DIALECT_REPRO_SPLIT_SPLITORDER_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::repro {

/// Where iterators of these extents, outermost first, may be cut if their
/// points, in lexicographic order, are combined in `order`; null: in any.
llvm::SmallVector<Split> getSplitsOfPoints(llvm::ArrayRef<int64_t> extents,
                                           OrderAttr order);

/// The order in which a piece combines its points. Sets `fits` to false if its
/// result would be accumulators, which no order names.
OrderAttr getOrderOfPiece(llvm::ArrayRef<int64_t> extents,
                          llvm::ArrayRef<IndexRange> ranges, OrderAttr order,
                          bool &fits);

/// Joins the partial results of `pieces` by `kind`, in the part of `order`
/// that combines pieces.
mlir::Value joinPieces(mlir::OpBuilder &builder, mlir::Location location,
                       ReduceKind kind, mlir::ValueRange pieces,
                       OrderAttr order);

} // namespace gensyn::repro

#endif
