// The parts of a training step that several ranks run.

#ifndef GENSYN_DIALECT_TRAIN_TRANSFORMS_STEPPARTS_H
#define GENSYN_DIALECT_TRAIN_TRANSFORMS_STEPPARTS_H

#include "mlir/IR/BuiltinOps.h"

namespace gensyn::train {

/// Names of the functions into which train-split-step divides a step; each is a
/// program of its own.
inline constexpr llvm::StringLiteral kMicrobatchPart = "microbatch";
inline constexpr llvm::StringLiteral kCarryPart = "carry";
inline constexpr llvm::StringLiteral kUpdatePart = "update";

/// Adds two tensors of kAddedElements elements; its element type's name
/// follows.
inline constexpr llvm::StringLiteral kAddPart = "add_";
inline constexpr int64_t kAddedElements = int64_t(1) << 16;

/// The argument of `@microbatch` that is its number in the step.
inline constexpr llvm::StringLiteral kMicrobatchNumber = "gensyn.microbatch";
/// Before the number of a sum, of a contribution, and of a value passed on.
inline constexpr llvm::StringLiteral kSumPrefix = "gensyn.sum.";
inline constexpr llvm::StringLiteral kContributionPrefix =
    "gensyn.contribution.";
inline constexpr llvm::StringLiteral kPassedPrefix = "gensyn.passed.";

/// Function: for each result the argument that it replaces, or -1 (array of
/// i64), as `gensyn.donated` says for a module.
inline constexpr llvm::StringLiteral kPartDonatedAttr = "train.donated";

/// Divides the frozen training step `@main` over `microbatches` (2 or more)
/// into functions, as the description of train-split-step says. Fails after
/// emitting one error; the module is then invalid.
llvm::LogicalResult splitStep(mlir::ModuleOp module, int64_t microbatches);

/// Returns a frozen module whose `@main` is that function of a divided step;
/// null if there is no such function.
mlir::OwningOpRef<mlir::ModuleOp> takePart(mlir::ModuleOp module,
                                           llvm::StringRef part);

} // namespace gensyn::train

#endif
