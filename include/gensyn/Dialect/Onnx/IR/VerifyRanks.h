// Checks operators' rules for ranks and dimension numbers, which their schemas
// lack.
#ifndef GENSYN_DIALECT_ONNX_IR_VERIFYRANKS_H
#define GENSYN_DIALECT_ONNX_IR_VERIFYRANKS_H

#include "gensyn/Dialect/Onnx/IR/NodeOp.h"

namespace gensyn::onnx {

/// Checks the ranks of operands and results, the attributes that name
/// dimensions, and the lengths of index tuples, as far as types are known: a
/// value of unknown rank is always valid. Fails with a diagnostic if a node is
/// wrong.
///
/// The verifier of every node calls it, and so does inference, before and after
/// a schema's function is called, since types become known on the way.
/// Inference, folding and conversions rely on it when they index shapes.
mlir::LogicalResult verifyRanks(NodeOp node);

/// The shapes that the same rules give to tensor results, as far as they are
/// known; some schema functions do not infer them. `constantOf` returns the
/// value of an operand, or null if that is not known.
llvm::SmallVector<std::pair<mlir::OpResult, mlir::RankedTensorType>>
shapesByRanks(NodeOp node,
              llvm::function_ref<mlir::ElementsAttr(mlir::Value)> constantOf);

/// The names of operands, results and attributes in the rules of an operator,
/// for tests: each must be in a version of its schema.
std::vector<std::pair<std::string, std::string>> namesInRankRules();

} // namespace gensyn::onnx

#endif
