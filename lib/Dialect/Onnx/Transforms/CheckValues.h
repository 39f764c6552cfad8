// Checks of nodes against the values of their constant operands.
#pragma once

#include "gensyn/Dialect/Onnx/IR/NodeOp.h"

namespace gensyn::onnx {
/// What the schemas' inference does not look at: indices out of range, reshapes
/// to another number of elements. A diagnostic and failure where a node is
/// wrong.
mlir::LogicalResult
checkValues(NodeOp node,
            llvm::function_ref<mlir::ElementsAttr(mlir::Value)> constantOf);

/// What the schemas' inference takes for granted and would read out of bounds
/// without: to be called before it.
mlir::LogicalResult checkForm(NodeOp node);
} // namespace gensyn::onnx
