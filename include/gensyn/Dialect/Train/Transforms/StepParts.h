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
/// Before the number of a value that ranks exchange between stages of a divided
/// update.
inline constexpr llvm::StringLiteral kPartialPrefix = "gensyn.partial.";

/// Module: for each sum, kept tensor and exchanged value of a divided update
/// that is not the same everywhere, the first element and the number of
/// elements of each rank (array of i64), in a dictionary by their names.
inline constexpr llvm::StringLiteral kCutsAttr = "train.cuts";

/// Function: for each result the argument that it replaces, or -1 (array of
/// i64), as `gensyn.donated` says for a module.
inline constexpr llvm::StringLiteral kPartDonatedAttr = "train.donated";

/// Divides the frozen training step `@main` over `microbatches` (2 or more)
/// into functions, as the description of train-split-step says. Fails after
/// emitting one error; the module is then invalid.
llvm::LogicalResult splitStep(mlir::ModuleOp module, int64_t microbatches);

/// Divides `@update` of a divided step, as the description of
/// train-shard-update says.
void shardUpdate(mlir::ModuleOp module, int64_t rank, int64_t ranks);

/// Returns a frozen module whose `@main` is that function of a divided step;
/// null if there is no such function.
mlir::OwningOpRef<mlir::ModuleOp> takePart(mlir::ModuleOp module,
                                           llvm::StringRef part);

} // namespace gensyn::train

#endif
