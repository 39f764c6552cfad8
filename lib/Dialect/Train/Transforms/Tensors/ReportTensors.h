// The share of a microbatch that ranks divide, and why they do not divide more.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_REPORTTENSORS_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_REPORTTENSORS_H

#include "DimensionClasses.h"

#include "gensyn/Dialect/Train/Transforms/Tensors.h"

namespace gensyn::train {

/// The most indices of a dimension along which the op may be cut.
int64_t mostIndices(mlir::Operation *op);

/// Fills all but `places`. `cuts` are those of the nodes.
void reportTensors(const TensorProgram &program, llvm::ArrayRef<TensorCut> cuts,
                   int64_t ranks, TensorReport &report);

} // namespace gensyn::train

#endif
