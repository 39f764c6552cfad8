// Losses, optimizers and schedules by the names that recipes give them.

#ifndef GENSYN_DIALECT_TRAIN_IR_REGISTRY_H
#define GENSYN_DIALECT_TRAIN_IR_REGISTRY_H

#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "gensyn/Dialect/Train/IR/Train.h"

namespace gensyn::train {

/// Builds a kind of loss from its object in a recipe.
struct LossKind {
  llvm::StringLiteral name;
  /// The key that names the graph output which the loss is taken of.
  llvm::StringLiteral outputKey;
  /// The target's type for a prediction's; a null type where the loss has no
  /// target. Fails after emitting an error.
  llvm::FailureOr<mlir::RankedTensorType> (*getTargetType)(
      RecipeObject &recipe, mlir::RankedTensorType prediction);
  /// Builds the loss op and returns the scalar; a null value after an error.
  /// `target` is null where the loss has none.
  mlir::Value (*build)(mlir::OpBuilder &builder, mlir::Location location,
                       RecipeObject &recipe, mlir::Value prediction,
                       mlir::Value target);
};

/// The kind that `kind` of a recipe's `loss` names; null after emitting an
/// error that lists the known ones.
const LossKind *findLossKind(RecipeObject &recipe);

/// A rule and the step size that goes with it before any schedule.
struct OptimizerChoice {
  OptimizerRuleInterface rule;
  double lr = 0.0;
};

/// What a recipe's `optimizer` describes, with PyTorch's defaults. Fails after
/// an error, which names unknown kinds and keys.
llvm::FailureOr<OptimizerChoice> readOptimizer(RecipeObject &recipe);

/// What a recipe's `schedule` describes, warm-up included. A null attribute
/// after an error, which names unknown kinds and keys.
ScheduleInterface readSchedule(RecipeObject &recipe);

} // namespace gensyn::train

#endif
