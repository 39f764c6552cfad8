// Reverse accumulation over the ops of a block (gradient_r1).

#ifndef GENSYN_DIALECT_REPRO_AUTODIFF_DIFFERENTIATE_H
#define GENSYN_DIALECT_REPRO_AUTODIFF_DIFFERENTIATE_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace gensyn::repro {

/// True if gradients flow through the value: it is a tensor of floats.
bool isFloatTensor(mlir::Value value);

/// Every value that an op reads, in its regions too.
void forEachRead(mlir::Operation *op,
                 llvm::function_ref<void(mlir::Value)> callback);

/// The name of a value in messages.
std::string describeValue(mlir::Value value);

/// Builds cotangents of values from those of others by the vector-Jacobian
/// products of the ops between them, in reverse program order. Values are only
/// ever looked up, so no order of pointers reaches the program.
class ReverseAccumulation {
public:
  /// Builds at `builder`. Errors of ops name what the gradient is for: `names`
  /// has a value for each of `wrt`.
  ReverseAccumulation(mlir::OpBuilder &builder, mlir::ValueRange wrt,
                      mlir::ValueRange names);

  /// Adds to the cotangent of a value, which `run` starts from.
  void seed(mlir::Location location, mlir::Value value, mlir::Value cotangent);

  /// Visits the ops of `block` before `end` (null: all but the terminator) that
  /// lie between `wrt` and seeded values. Fails, after an error, where one of
  /// them has no derivative.
  llvm::LogicalResult run(mlir::Block &block, mlir::Operation *end);

  /// The cotangent of a value; null where nothing flows.
  mlir::Value lookup(mlir::Value value) const {
    return cotangents.lookup(value);
  }

private:
  llvm::SmallVector<mlir::Operation *> findPath(mlir::Block &block,
                                                mlir::Operation *end);
  llvm::LogicalResult visit(mlir::Operation *op);

  mlir::OpBuilder &builder;
  /// Floats that depend on a listed value, and the name of the first such.
  llvm::DenseMap<mlir::Value, mlir::Value> origins;
  llvm::DenseMap<mlir::Value, mlir::Value> cotangents;
};

} // namespace gensyn::repro

#endif
