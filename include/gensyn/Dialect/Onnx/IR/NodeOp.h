// A view of any op that comes from an ONNX schema.
#ifndef GENSYN_DIALECT_ONNX_IR_NODEOP_H
#define GENSYN_DIALECT_ONNX_IR_NODEOP_H

#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include <optional>
#include <string>
#include <vector>

namespace gensyn::onnx {
/// One class for all operators: `isa<NodeOp>(op)` consults the dialect's table
/// of schemas. Inputs and attributes are accessed by their schema names. A name
/// that the schema lacks is a fatal error, so that a misspelling cannot read as
/// "absent".
class NodeOp : public mlir::OpState {
public:
  explicit NodeOp(mlir::Operation *op) : OpState(op) {}
  static bool classof(mlir::Operation *op) { return schemaOf(op) != nullptr; }
  /// The schema of an op; null if it is not an ONNX operator.
  static const ::onnx::OpSchema *schemaOf(mlir::Operation *op);

  const ::onnx::OpSchema &schema() const { return *schemaOf(op()); }
  mlir::Operation *op() const { return *this; }
  /// "Conv": the operator's name without domain and version.
  llvm::StringRef opType() const;
  /// The domain of its operator set; empty for "ai.onnx".
  llvm::StringRef domain() const;
  /// The version of the operator set that introduced this meaning.
  int since() const;
  /// The schema's name of input `index`.
  llvm::StringRef formalInput(unsigned index) const;
  /// The node's name in the user's file, or its first output's; may be empty.
  std::string userName() const;

  /// Index of the formal input `formal`, the first of a variadic one.
  unsigned inputIndex(llvm::StringRef formal) const;
  /// The operand for a formal input; null when it is absent.
  mlir::Value input(llvm::StringRef formal) const;
  /// The result for a formal output; null when it is absent.
  mlir::Value output(llvm::StringRef formal) const;

  /// The attribute, or the schema's default, or null if it has neither.
  mlir::Attribute attribute(llvm::StringRef name) const;
  template <typename T> T attributeAs(llvm::StringRef name) const {
    return mlir::dyn_cast_or_null<T>(attribute(name));
  }
  /// Attributes by kind, the schema's default included.
  std::optional<int64_t> integer(llvm::StringRef name) const;
  std::optional<float> real(llvm::StringRef name) const;
  std::optional<llvm::StringRef> string(llvm::StringRef name) const;
  std::optional<llvm::ArrayRef<int64_t>> integers(llvm::StringRef name) const;
  std::optional<llvm::ArrayRef<float>> reals(llvm::StringRef name) const;

  /// The value of an operand that is an `onnx.constant`; null otherwise.
  mlir::ElementsAttr constantInput(llvm::StringRef formal) const;
  /// The elements of a constant integer operand, row major, sign extended.
  std::optional<llvm::SmallVector<int64_t>>
  constantIntegers(llvm::StringRef formal) const;
  /// The integers of a parameter that is an attribute in some versions of the
  /// operator and an input in others (axes, shape, pads, ...); none if absent
  /// or not constant. `name` is the attribute's name, `formal` the input's.
  std::optional<llvm::SmallVector<int64_t>>
  integersOf(llvm::StringRef name, llvm::StringRef formal) const;
  bool hasFormalInput(llvm::StringRef formal) const;
  bool hasFormalAttribute(llvm::StringRef name) const;
};

/// Names of a schema's attributes that hold a graph, sorted: the order of
/// regions.
std::vector<std::string> graphAttributes(const ::onnx::OpSchema &schema);

/// The elements of an integer or boolean attribute, row major; signed ones are
/// sign extended. None for other element types.
std::optional<llvm::SmallVector<int64_t>> integersOf(mlir::ElementsAttr value);
} // namespace gensyn::onnx

#endif
