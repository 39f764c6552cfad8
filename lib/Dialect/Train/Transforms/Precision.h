// A recipe's `precision`: what is computed in narrow floats, and how the loss
// is scaled for them.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_PRECISION_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_PRECISION_H

#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"
#include "mlir/IR/BuiltinTypes.h"

#include <string>
#include <vector>

namespace gensyn::train {

/// By what the loss is multiplied before it is differentiated. The numbers of a
/// dynamic one are those of torch.amp.GradScaler.
struct LossScale {
  enum class Kind { None, Static, Dynamic };
  Kind kind = Kind::None;
  double initial = 65536.0; ///< the scale itself, where it is static
  double growthFactor = 2.0, backoffFactor = 0.5;
  int64_t growthInterval = 2000;
};

struct Precision {
  /// bf16 or f16; null for f32.
  mlir::FloatType compute;
  /// Patterns of names of nodes, of ONNX operators, or of repro ops: what stays
  /// f32 though it is narrow by default, and what is rounded though it is not.
  std::vector<std::string> wide, narrow;
  LossScale lossScale;
};

/// Reads `precision`; the default where the recipe has none. Fails after an
/// error.
llvm::FailureOr<Precision> readPrecision(const TrainingOptions &options,
                                         mlir::Location location);

} // namespace gensyn::train

#endif
