// Steps that a model brings itself.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TRAININGINFO_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_TRAININGINFO_H

#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"

namespace gensyn::train {

/// True if `@main` is the step of ONNX's training_info: it carries
/// `gensyn.training_info`.
bool hasTrainingInfo(mlir::ModuleOp module);

/// Makes such a function the program of ProgramKind::Train or Eval. Results
/// whose attribute `gensyn.updates` names arguments are those arguments in the
/// next step. Fails after emitting one error.
llvm::LogicalResult buildTrainingInfoStep(mlir::ModuleOp module,
                                          const TrainingOptions &options);

} // namespace gensyn::train

#endif
