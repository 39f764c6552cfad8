// Loss scaling: scales the loss, unscales gradients, and skips steps with
// overflow.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_LOSSSCALER_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_LOSSSCALER_H

#include "Precision.h"
#include "StepProgram.h"

namespace gensyn::train {

/// Call order: `read`, before the program is opened; `scale`; `unscale`, before
/// gradients are used; `finish`, when all next values are known.
class LossScaler {
public:
  LossScaler(StepProgram &program, const TrainingOptions &options)
      : program(program), options(options) {}

  /// Reads the recipe and, in a training step, adds the states of a dynamic
  /// scale. Fails after an error.
  llvm::LogicalResult read();

  /// Returns the loss to differentiate (scale_r1); the loss itself without a
  /// scale.
  mlir::Value scale(mlir::Value loss);

  /// Divides the gradients by the scale (scale_r1).
  void unscale(llvm::MutableArrayRef<mlir::Value> gradients);

  /// Undoes the step if a gradient was not finite, and selects the next scale
  /// (scale_r2, scale_r3).
  void finish();

private:
  mlir::Value findFinite(llvm::ArrayRef<mlir::Value> gradients);
  void advance();

  StepProgram &program;
  const TrainingOptions &options;
  LossScale settings;
  /// Of a dynamic scale in a training step: f32 and i32 scalars.
  StepArgument *state = nullptr, *tracker = nullptr;
  /// True if all gradients are finite: an i1 scalar.
  mlir::Value finite;
};

} // namespace gensyn::train

#endif
