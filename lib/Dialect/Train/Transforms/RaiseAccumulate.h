// Finds the microbatches of a frozen step.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_RAISEACCUMULATE_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_RAISEACCUMULATE_H

#include "mlir/IR/BuiltinOps.h"

namespace gensyn::train {

/// Replaces the loops over `microbatches` (2 or more) in the frozen `@main` of
/// a training step by `train.accumulate`, as the description of
/// train-raise-accumulate says. Fails after emitting one error; the module is
/// then as it was, or invalid.
llvm::LogicalResult raiseAccumulate(mlir::ModuleOp module,
                                    int64_t microbatches);

} // namespace gensyn::train

#endif
