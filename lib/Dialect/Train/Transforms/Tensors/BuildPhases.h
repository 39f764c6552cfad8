// The functions of the ranks that compute segments together.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_BUILDPHASES_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TENSORS_BUILDPHASES_H

#include "Places.h"

#include "gensyn/Dialect/Train/Transforms/Tensors.h"

namespace gensyn::train {

/// Builds the functions in front of the segments and erases these. Sets
/// kStagesAttr of the module.
/// Fails after an error if verifyPhases or verifyTiles does.
llvm::FailureOr<std::vector<PlaceFacts>> buildPhases(mlir::ModuleOp module,
                                                     const Places &places);

/// Fails after an error unless the module's segments, each after those before
/// it, compute all results of `segments`: every value that they read is an
/// argument or the result of an earlier one, and sums are divided into tiles
/// that have each element once. Called while `segments` are still there.
llvm::LogicalResult verifyPhases(llvm::ArrayRef<mlir::func::FuncOp> segments,
                                 llvm::ArrayRef<mlir::func::FuncOp> phases);

} // namespace gensyn::train

#endif
