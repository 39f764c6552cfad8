// How conversions match nodes: one class for an operator, listed with the
// versions whose meaning it knows, registered once for each op name.
#pragma once

#include "gensyn/Dialect/Onnx/IR/NodeOp.h"

#include "mlir/Transforms/DialectConversion.h"

namespace gensyn::onnx {
/// The converted operands of a node, by the names that the schema gives them.
class NodeInputs {
public:
  NodeInputs(NodeOp node, mlir::ValueRange values)
      : node(node), values(values) {}

  /// Null when the operand is absent; a name the schema lacks is a fatal error.
  mlir::Value operator[](llvm::StringRef formal) const {
    unsigned i = node.inputIndex(formal);
    return node.input(formal) ? values[i] : mlir::Value();
  }
  /// All operands of a variadic input (the last one of a schema).
  mlir::ValueRange variadic(llvm::StringRef formal) const {
    return values.drop_front(
        std::min<size_t>(node.inputIndex(formal), values.size()));
  }
  mlir::ValueRange all() const { return values; }

private:
  NodeOp node;
  mlir::ValueRange values;
};

/// Base of the conversions of ONNX nodes. A pattern overrides `convert`, which
/// replaces the node or gives a reason through `rewriter.notifyMatchFailure`.
class NodePattern : public mlir::ConversionPattern {
public:
  NodePattern(const mlir::TypeConverter &types, llvm::StringRef opName,
              mlir::MLIRContext *context)
      : ConversionPattern(types, opName, /*benefit=*/1, context) {}

  virtual mlir::LogicalResult
  convert(NodeOp node, NodeInputs in,
          mlir::ConversionPatternRewriter &rewriter) const = 0;

  mlir::LogicalResult
  matchAndRewrite(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands,
                  mlir::ConversionPatternRewriter &rewriter) const final {
    NodeOp node(op);
    return convert(node, NodeInputs(node, operands), rewriter);
  }

protected:
  /// The type that result `i` of the node has after the conversion.
  mlir::Type resultType(NodeOp node, unsigned i = 0) const {
    return getTypeConverter()->convertType(node->getResult(i).getType());
  }
};

/// Registers a pattern for versions of an operator of the default domain:
/// `addNode<ConvertRelu>(patterns, types, "Relu", {6, 13, 14})`.
template <typename Pattern>
void addNode(mlir::RewritePatternSet &patterns,
             const mlir::TypeConverter &types, llvm::StringRef opType,
             std::initializer_list<int> versions) {
  for (int version : versions)
    patterns.add<Pattern>(
        types, ("onnx." + opType + ".v" + llvm::Twine(version)).str(),
        patterns.getContext());
}
} // namespace gensyn::onnx
