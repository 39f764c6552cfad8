// Gradient clipping.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STEPCLIP_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STEPCLIP_H

#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace gensyn::train {

/// A recipe's `clip`: {"norm": 1.0}, with "norm_type" 2, 1 or "inf", or
/// {"value": 0.5}.
struct Clip {
  enum class Norm { One, Two, Largest };
  bool byValue = false;
  double bound = 0.0;
  Norm norm = Norm::Two;
};

/// Reads `clip`; fails after an error. std::nullopt if the recipe has none.
llvm::FailureOr<std::optional<Clip>> readClip(const TrainingOptions &options,
                                              mlir::Location location);

/// Replaces the gradients by clipped ones (clip_r1, clip_r2). Returns the norm
/// of all gradients together, an f64 scalar; null if it is not needed.
mlir::Value buildClip(const Clip &clip, mlir::OpBuilder &builder,
                      mlir::Location location,
                      llvm::MutableArrayRef<mlir::Value> gradients);

} // namespace gensyn::train

#endif
