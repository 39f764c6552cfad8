// Writes ops in the specified form of digests: lengths first, numbers as 64-bit
// little-endian, names as UTF-8. It does not depend on MLIR's printer, on
// locations, on the names of SSA values or on addresses, nor on the structure
// of affine expressions.

#ifndef GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_ENCODER_H
#define GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_ENCODER_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gensyn::repro {

/// Fails, after an error on the op, where something has no canonical encoding.
class Encoder {
public:
  virtual ~Encoder() = default;

  void number(int64_t value);
  void text(mlir::StringRef value);
  template <class Range> void numbers(Range &&range) {
    number(llvm::range_size(range));
    for (auto value : range)
      number(static_cast<int64_t>(value));
  }

  /// Its name, operands, attributes, results and regions; of a constant
  /// nothing.
  llvm::LogicalResult operation(mlir::Operation &op);
  /// Name, role and a constant initial value belong to the program. The
  /// location of a parameter's initial value does not: that is an input with
  /// its own hash.
  llvm::LogicalResult argument(mlir::func::FuncOp function, unsigned index);
  /// The name of a function's result.
  void result(mlir::func::FuncOp function, unsigned index);

protected:
  virtual void bytes(mlir::StringRef bytes) = 0;
  virtual void elements(const Tensor &tensor) = 0;
  virtual llvm::LogicalResult operand(mlir::Operation &op,
                                      mlir::OpOperand &operand) = 0;
  /// A result or an argument of a region, in the order of the text.
  virtual void define(mlir::Value value) = 0;

  llvm::LogicalResult attribute(mlir::Operation *op, mlir::Attribute attribute);

private:
  llvm::LogicalResult type(mlir::Operation *op, mlir::Type type);
  llvm::LogicalResult region(mlir::Operation &op, mlir::Region &region);
  void expr(mlir::AffineExpr expr);
};

} // namespace gensyn::repro

#endif
