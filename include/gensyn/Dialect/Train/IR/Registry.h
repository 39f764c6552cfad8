// Registry of losses, optimizers and schedules by the names that recipes use.

#ifndef GENSYN_DIALECT_TRAIN_IR_REGISTRY_H
#define GENSYN_DIALECT_TRAIN_IR_REGISTRY_H

#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "gensyn/Dialect/Train/IR/Train.h"

namespace gensyn::train {

/// Builds a kind of loss from its object in a recipe.
struct LossKind {
  llvm::StringLiteral name;
  /// The key that names the graph output which is the loss's input.
  llvm::StringLiteral outputKey;
  /// Returns the target's type for a prediction's; a null type if the loss has
  /// no target. Fails after emitting an error.
  llvm::FailureOr<mlir::RankedTensorType> (*getTargetType)(
      RecipeObject &recipe, mlir::RankedTensorType prediction);
  /// Builds the loss op and returns the scalar; a null value after an error.
  /// `target` is null if the loss has none.
  mlir::Value (*build)(mlir::OpBuilder &builder, mlir::Location location,
                       RecipeObject &recipe, mlir::Value prediction,
                       mlir::Value target);
};

/// Returns the kind of a recipe's `loss`; null after emitting an error that
/// lists the known ones.
const LossKind *findLossKind(RecipeObject &recipe);

/// A rule and its step size before any schedule.
struct OptimizerChoice {
  OptimizerRuleInterface rule;
  double lr = 0.0;
};

/// Returns the optimizer of a recipe's `optimizer`, with PyTorch's defaults.
/// Fails after an error, which names unknown kinds and keys.
llvm::FailureOr<OptimizerChoice> readOptimizer(RecipeObject &recipe);

/// Returns the schedule of a recipe's `schedule`, including warm-up. A null
/// attribute after an error, which names unknown kinds and keys.
ScheduleInterface readSchedule(RecipeObject &recipe);

} // namespace gensyn::train

#endif
