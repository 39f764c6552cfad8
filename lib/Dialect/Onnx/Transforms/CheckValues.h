// Checks of nodes against the values of their constant operands.
#ifndef GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_CHECKVALUES_H
#define GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_CHECKVALUES_H

#include "gensyn/Dialect/Onnx/IR/NodeOp.h"

namespace gensyn::onnx {
/// Checks that the schemas' inference lacks: indices out of range, reshapes to
/// another number of elements. Fails with a diagnostic if a node is wrong.
mlir::LogicalResult
checkValues(NodeOp node,
            llvm::function_ref<mlir::ElementsAttr(mlir::Value)> constantOf);

/// Checks preconditions of the schemas' inference, which would otherwise read
/// out of bounds. Must be called before it.
mlir::LogicalResult checkForm(NodeOp node);
} // namespace gensyn::onnx

#endif
