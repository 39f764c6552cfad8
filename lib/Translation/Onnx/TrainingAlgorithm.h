// Writes a recipe's training step as ONNX nodes.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_TRAININGALGORITHM_H
#define GENSYN_LIB_TRANSLATION_ONNX_TRAININGALGORITHM_H

#include "gensyn/Translation/Onnx/Import.h"
#include "onnx/onnx_pb.h"

namespace gensyn {
/// Gives `model`, which was read from `path`, a training_info that replaces any
/// existing one: the recipe's loss as nodes, Gradient, and an optimizer of
/// ai.onnx.preview.training, whose states are initializers of the algorithm.
/// Fails, with an error that names it, if the recipe uses something that these
/// cannot express.
mlir::LogicalResult addTrainingInfo(::onnx::ModelProto &model,
                                    llvm::StringRef path,
                                    llvm::StringRef recipe,
                                    mlir::MLIRContext *context,
                                    ImportError &error);
} // namespace gensyn

#endif
