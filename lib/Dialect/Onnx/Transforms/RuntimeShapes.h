// Sizes of results that ONNX's own inference decides otherwise than runtimes.
#pragma once

#include "NodeContext.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"

namespace gensyn::onnx {
/// Corrects what the schema's function inferred for the results of `node`,
/// where onnxruntime and the exporting frameworks agree on other sizes.
void correctShapes(NodeOp node, InferenceState &state, NodeContext &context);
} // namespace gensyn::onnx
