// Folds nodes whose operands are constants, for shape arithmetic.
#ifndef GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_EVALUATE_H
#define GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_EVALUATE_H

#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Numerics/Tensor.h"

namespace gensyn::onnx {
/// The value of the node's only result. Null if an operand that it needs is
/// null, the operator is not folded, or the value is larger than 1 KiB. Result
/// types are inferred already. Everything is computed by lib/Numerics, so that
/// folding gives the bits that the program would.
mlir::ElementsAttr evaluateNode(NodeOp node,
                                llvm::ArrayRef<mlir::ElementsAttr> operands);

/// The internals of the evaluator, with a source file for each family of
/// operators.
namespace evaluation {
using Value = std::optional<Tensor>;
using Shape = std::vector<int64_t>;

/// One node at evaluation: typed access to operands and attributes.
struct Node {
  NodeOp op;
  llvm::ArrayRef<mlir::ElementsAttr> operands;

  llvm::StringRef type() const { return op.opType(); }
  bool has(unsigned i) const;
  /// Operand `i` as a tensor; none if it is not a constant.
  Value in(unsigned i) const;
  /// Operand `i`, or the attribute `name` of older versions, as integers.
  std::optional<Shape> integers(unsigned i, llvm::StringRef name) const;
  /// The shape and element type of a value; none if it is not static.
  static std::optional<Shape> shapeOf(mlir::Value value);
  static std::optional<ElementType> elementOf(mlir::Value value);
};

/// Calls `f` with every index of `shape` in row-major order.
void forEachIndex(const Shape &shape,
                  llvm::function_ref<void(const Shape &)> f);
/// Elements of `source` by flat indices.
Tensor pick(const Tensor &source, Shape shape, llvm::ArrayRef<int64_t> from);
/// `t` broadcast to `shape`; none if the shapes do not match.
Value expand(const Tensor &t, const Shape &shape);

/// None if the operator is not of the family or cannot be folded.
Value evaluateShape(const Node &node);
Value evaluateMovement(const Node &node);
Value evaluateElementwise(const Node &node);
} // namespace evaluation
} // namespace gensyn::onnx

#endif
