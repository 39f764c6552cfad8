// Finds batch normalizations that normalize by their batch.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace gensyn::onnx {
/// The BatchNormalization nodes that normalize by stored statistics.
unsigned countInferenceNormalizations(mlir::ModuleOp module);
} // namespace gensyn::onnx
