// Operators' rules for ranks and dimension numbers, and their
// schemas do not.
#ifndef GENSYN_DIALECT_ONNX_IR_VERIFYRANKS_H
#define GENSYN_DIALECT_ONNX_IR_VERIFYRANKS_H

#include "gensyn/Dialect/Onnx/IR/NodeOp.h"

namespace gensyn::onnx {

/// Checks the ranks of operands and results, the attributes that name
/// dimensions, and the lengths of index tuples, as far as types are known: a
/// value of unknown rank fits everywhere. A diagnostic and failure where a node
/// is wrong.
///
/// The verifier of every node calls it, and so does inference, before a
/// schema's function is called and after it: types become known on the way.
/// Inference, folding and conversions index shapes relying on it.
mlir::LogicalResult verifyRanks(NodeOp node);

/// The shapes that the same rules give tensors among the results, as far as
/// they are known: schemas' functions leave some of them out. `constantOf` is
/// the value of an operand, or null where that is not known.
llvm::SmallVector<std::pair<mlir::OpResult, mlir::RankedTensorType>>
shapesByRanks(NodeOp node,
              llvm::function_ref<mlir::ElementsAttr(mlir::Value)> constantOf);

/// Names of operands, results and attributes that the rules of an operator
/// mention, for tests: each has to be in a version of its schema.
std::vector<std::pair<std::string, std::string>> namesInRankRules();

} // namespace gensyn::onnx

#endif
