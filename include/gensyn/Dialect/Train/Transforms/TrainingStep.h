// Converts a model's forward function to the program of a recipe.

#ifndef GENSYN_DIALECT_TRAIN_TRANSFORMS_TRAININGSTEP_H
#define GENSYN_DIALECT_TRAIN_TRANSFORMS_TRAININGSTEP_H

#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace gensyn::train {

/// Options of the program.
struct TrainingOptions {
  /// Any but ProgramKind::Initialize.
  ProgramKind kind = ProgramKind::Train;
  /// All but the loss matters to ProgramKind::Train only. Batch normalizations
  /// have been changed for `trainsBatchNorm` before operators become ops of
  /// repro.
  Recipe recipe;
  /// Number of microbatches of this program. For the remaining samples of an
  /// epoch it may be smaller than the recipe's.
  int64_t microbatches = 1;

  /// True if the recipe freezes the parameter.
  bool freezes(llvm::StringRef name) const;
};

/// Parses a recipe's JSON text; empty text is a recipe without keys. Fails
/// after emitting one error at `location`.
llvm::FailureOr<Recipe> readRecipe(llvm::StringRef text,
                                   mlir::Location location);

/// Returns the options of a `kind` of program; `microbatches` is the recipe's
/// `accumulate`. Fails after emitting one error at `location`.
llvm::FailureOr<TrainingOptions> makeTrainingOptions(llvm::StringRef kind,
                                                     Recipe recipe,
                                                     mlir::Location location);

/// The same for a recipe's text.
llvm::FailureOr<TrainingOptions> parseTrainingOptions(llvm::StringRef kind,
                                                      llvm::StringRef recipe,
                                                      mlir::Location location);

/// Checks everything that does not need a model: the kinds, and the keys of
/// optimizer, groups and schedule. Fails after emitting one error, the same as
/// buildTrainingStep would.
llvm::LogicalResult checkTrainingOptions(const TrainingOptions &options,
                                         mlir::Location location);

/// Converts `@main` of `module` to the program of the options, as the
/// description of train-build-step says. The func, repro and train dialects
/// must be loaded. Fails after emitting one error; then the module is invalid.
llvm::LogicalResult buildTrainingStep(mlir::ModuleOp module,
                                      const TrainingOptions &options);

} // namespace gensyn::train

#endif
