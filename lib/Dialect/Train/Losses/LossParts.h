// Helpers shared by losses.

#ifndef GENSYN_LIB_DIALECT_TRAIN_LOSSES_LOSSPARTS_H
#define GENSYN_LIB_DIALECT_TRAIN_LOSSES_LOSSPARTS_H

#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"
#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "gensyn/Dialect/Train/IR/Train.h"

namespace gensyn::train {

/// Sums all rows or elements. A mean is divided by their number (loss_r1), a
/// mean over the batch by the first dimension of `whole`.
mlir::Value reduceAll(repro::FormulaBuilder &f, mlir::Value value,
                      Reduction reduction, mlir::Value whole);
inline mlir::Value reduceAll(repro::FormulaBuilder &f, mlir::Value value,
                             Reduction reduction) {
  return reduceAll(f, value, reduction, value);
}

/// Reads `reduction` of a recipe: mean or sum, and batchmean if `ofBatch`.
Reduction readReduction(RecipeObject &recipe, bool ofBatch = false);

/// Returns rank 0 and the element type of the loss's input.
mlir::RankedTensorType getLossType(mlir::Value of);

/// Emits an error unless `loss` has that type.
llvm::LogicalResult verifyLossType(mlir::Operation *op, mlir::Value of,
                                   mlir::Value loss);

/// Reads `axis` of a recipe, by default the last one; std::nullopt after an
/// error, which says that `type` has no such axis.
std::optional<int64_t> readAxis(RecipeObject &recipe,
                                mlir::RankedTensorType type);

/// Returns `axis` counted from the front; std::nullopt if `type` has no such
/// dimension.
std::optional<int64_t> normalizeAxis(int64_t axis, mlir::RankedTensorType type);

/// Returns all dimensions of `type` except one, in order.
llvm::SmallVector<int64_t> dimsWithout(mlir::RankedTensorType type,
                                       int64_t axis);

/// Reads `weight` of a recipe, one number for each class along `axis` of
/// `scores`; null without one. An error says how many there are.
mlir::DenseF64ArrayAttr readClassWeights(mlir::OpBuilder &builder,
                                         RecipeObject &recipe,
                                         mlir::RankedTensorType scores,
                                         int64_t axis);

/// Builds the classes' weights, broadcast to `type`, whose dimension `axis` is
/// that of the classes.
mlir::Value createClassWeights(mlir::OpBuilder &builder,
                               mlir::Location location,
                               llvm::ArrayRef<double> weight,
                               mlir::RankedTensorType type, int64_t axis);

} // namespace gensyn::train

#endif
