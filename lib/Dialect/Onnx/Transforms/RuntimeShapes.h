// Sizes of results for which ONNX's own inference and the runtimes disagree.
#ifndef GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_RUNTIMESHAPES_H
#define GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_RUNTIMESHAPES_H

#include "NodeContext.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"

namespace gensyn::onnx {
/// Corrects the shapes that the schema's function inferred for the results of
/// `node`, where onnxruntime and the exporting frameworks agree on other sizes.
void correctShapes(NodeOp node, InferenceState &state, NodeContext &context);
} // namespace gensyn::onnx

#endif
