// Helpers shared by losses.

#ifndef GENSYN_LIB_DIALECT_TRAIN_LOSSES_LOSSPARTS_H
#define GENSYN_LIB_DIALECT_TRAIN_LOSSES_LOSSPARTS_H

#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"
#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "gensyn/Dialect/Train/IR/Train.h"

namespace gensyn::train {

/// The sum of all rows or elements; for a mean divided by how many there are
/// (loss_r1), for a mean over the batch by the first dimension of `whole`.
mlir::Value reduceAll(repro::FormulaBuilder &f, mlir::Value value,
                      Reduction reduction, mlir::Value whole);
inline mlir::Value reduceAll(repro::FormulaBuilder &f, mlir::Value value,
                             Reduction reduction) {
  return reduceAll(f, value, reduction, value);
}

/// `reduction` of a recipe: mean or sum, and batchmean where `ofBatch`.
Reduction readReduction(RecipeObject &recipe, bool ofBatch = false);

/// Rank 0 and the element type of what the loss is taken of.
mlir::RankedTensorType getLossType(mlir::Value of);

/// Emits an error unless `loss` has that type.
llvm::LogicalResult verifyLossType(mlir::Operation *op, mlir::Value of,
                                   mlir::Value loss);

/// `axis` of a recipe, the last one unless given; none after an error, which
/// says that it is none of `type`.
std::optional<int64_t> readAxis(RecipeObject &recipe,
                                mlir::RankedTensorType type);

/// `axis` counted from the front, or none where `type` has no such dimension.
std::optional<int64_t> normalizeAxis(int64_t axis, mlir::RankedTensorType type);

/// All dimensions of `type` but one, in order.
llvm::SmallVector<int64_t> dimsWithout(mlir::RankedTensorType type,
                                       int64_t axis);

} // namespace gensyn::train

#endif
