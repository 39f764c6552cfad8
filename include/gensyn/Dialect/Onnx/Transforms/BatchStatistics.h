// Finds batch normalizations that use stored statistics.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace gensyn::onnx {
/// Returns the BatchNormalization nodes that normalize by stored statistics.
unsigned countInferenceNormalizations(mlir::ModuleOp module);
} // namespace gensyn::onnx
