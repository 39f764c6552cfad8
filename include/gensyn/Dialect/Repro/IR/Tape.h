// Tensors [n, ...] that keep a value of each iteration of a loop.

#ifndef GENSYN_DIALECT_REPRO_IR_TAPE_H
#define GENSYN_DIALECT_REPRO_IR_TAPE_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

namespace gensyn::repro {

/// A tape of zeros for `n` values of `type`.
inline mlir::Value createTape(mlir::OpBuilder &builder, mlir::Location location,
                              int64_t n, mlir::RankedTensorType type) {
  llvm::SmallVector<int64_t> shape = {n};
  llvm::append_range(shape, type.getShape());
  return createFilled(builder, location, type.clone(shape), 0);
}

/// The maps of a gather or scatter of one value at index s0 of a tape.
inline mlir::ArrayAttr tapeMaps(mlir::OpBuilder &builder, unsigned rank) {
  mlir::MLIRContext *context = builder.getContext();
  llvm::SmallVector<mlir::AffineExpr> place = {
      mlir::getAffineSymbolExpr(0, context)};
  for (unsigned dim = 0; dim < rank; ++dim)
    place.push_back(mlir::getAffineDimExpr(dim, context));
  return builder.getAffineMapArrayAttr(
      {mlir::AffineMap::get(rank, 1, place, context),
       mlir::AffineMap::get(rank, 0, context)});
}

/// `tape` with `value` at `index`, a tensor<i64> that is in range.
inline mlir::Value writeTape(mlir::OpBuilder &builder, mlir::Location location,
                             mlir::Value tape, mlir::Value index,
                             mlir::Value value) {
  return ScatterOp::create(
      builder, location, tape.getType(), ScatterKind::Set, tape, value, index,
      tapeMaps(builder, static_cast<unsigned>(typeOf(value).getRank())),
      IndexBound::Zero);
}

/// The value at `index` of `tape`.
inline mlir::Value readTape(mlir::OpBuilder &builder, mlir::Location location,
                            mlir::Value tape, mlir::Value index) {
  auto type = typeOf(tape);
  return GatherOp::create(
      builder, location, type.clone(type.getShape().drop_front()), tape, index,
      tapeMaps(builder, static_cast<unsigned>(type.getRank() - 1)),
      IndexBound::Zero);
}

} // namespace gensyn::repro

#endif
