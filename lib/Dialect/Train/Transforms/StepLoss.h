// The loss of a step: its graph output and its target.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STEPLOSS_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STEPLOSS_H

#include "StepProgram.h"
#include "gensyn/Dialect/Train/IR/Registry.h"

namespace gensyn::train {

class StepLoss {
public:
  StepLoss(StepProgram &program, const TrainingOptions &options)
      : program(program), recipe("recipe: loss", options.recipe.objects.loss,
                                 program.module.getLoc()) {}

  /// Finds the graph output and adds the target's argument. Fails after an
  /// error.
  llvm::LogicalResult read();

  /// Returns the forward function's value that is the input of the loss.
  mlir::Value getPrediction() { return program.outputs()[number]; }

  /// Builds the loss at the program's builder; a null value after an error.
  mlir::Value build();

  /// True if the loss is a sum over samples rather than a mean.
  bool isSum() { return recipe.text("reduction", "mean") == "sum"; }

private:
  llvm::LogicalResult findPrediction();
  llvm::LogicalResult addTarget();
  mlir::RankedTensorType getLossInput();

  StepProgram &program;
  RecipeObject recipe;
  const LossKind *kind = nullptr;
  unsigned number = 0;
  StepArgument *target = nullptr;
};

} // namespace gensyn::train

#endif
