// A recipe's `precision`: the ops to compute in narrow floats, and the loss
// scale.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_PRECISION_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_PRECISION_H

#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"
#include "mlir/IR/BuiltinTypes.h"

#include <string>
#include <vector>

namespace gensyn::train {

/// The factor of the loss before it is differentiated. The numbers of a dynamic
/// scale are those of torch.amp.GradScaler.
struct LossScale {
  enum class Kind { None, Static, Dynamic };
  Kind kind = Kind::None;
  double initial = 65536.0; ///< the scale itself if it is static
  double growthFactor = 2.0, backoffFactor = 0.5;
  int64_t growthInterval = 2000;
};

struct Precision {
  /// bf16 or f16; null for f32.
  mlir::FloatType compute;
  /// Patterns of names of nodes, of ONNX operators, or of repro ops: `wide`
  /// stay f32 although they are narrow by default, `narrow` are rounded
  /// although they are not.
  std::vector<std::string> wide, narrow;
  LossScale lossScale;
};

/// Reads `precision`; returns the default if the recipe has none. Fails after
/// an error.
llvm::FailureOr<Precision> readPrecision(const TrainingOptions &options,
                                         mlir::Location location);

} // namespace gensyn::train

#endif
