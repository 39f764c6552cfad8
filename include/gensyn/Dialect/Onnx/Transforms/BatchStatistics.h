// Finds batch normalizations that use stored statistics.
#ifndef GENSYN_DIALECT_ONNX_TRANSFORMS_BATCHSTATISTICS_H
#define GENSYN_DIALECT_ONNX_TRANSFORMS_BATCHSTATISTICS_H

#include "mlir/IR/BuiltinOps.h"

namespace gensyn::onnx {
/// Returns the BatchNormalization nodes that normalize by stored statistics.
unsigned countInferenceNormalizations(mlir::ModuleOp module);
} // namespace gensyn::onnx

#endif
