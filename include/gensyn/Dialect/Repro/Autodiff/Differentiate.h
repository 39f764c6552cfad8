// Reverse accumulation over the ops of a block (gradient_r1).

#ifndef GENSYN_DIALECT_REPRO_AUTODIFF_DIFFERENTIATE_H
#define GENSYN_DIALECT_REPRO_AUTODIFF_DIFFERENTIATE_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace gensyn::repro {

/// True if gradients flow through the value: it is a tensor of floats.
bool isFloatTensor(mlir::Value value);

/// Visits every value that an op reads, including those read in its regions.
void forEachRead(mlir::Operation *op,
                 llvm::function_ref<void(mlir::Value)> callback);

/// The name of a value in messages.
std::string describeValue(mlir::Value value);

/// Builds cotangents of values from those of others by the vector-Jacobian
/// products of the ops between them, in reverse program order. Values are only
/// looked up, so the program never depends on the order of pointers.
class ReverseAccumulation {
public:
  /// Builds at `builder`. `names` has a value for each of `wrt`, by which
  /// errors describe it.
  ReverseAccumulation(mlir::OpBuilder &builder, mlir::ValueRange wrt,
                      mlir::ValueRange names);

  /// Adds to the cotangent of a value from which `run` starts.
  void seed(mlir::Location location, mlir::Value value, mlir::Value cotangent);

  /// Visits the ops of `block` before `end` (null: all but the terminator) that
  /// lie between `wrt` and seeded values. Fails, after an error, if one of them
  /// has no derivative.
  llvm::LogicalResult run(mlir::Block &block, mlir::Operation *end);

  /// The cotangent of a value; null if no gradient flows to it.
  mlir::Value lookup(mlir::Value value) const {
    return cotangents.lookup(value);
  }

private:
  llvm::SmallVector<mlir::Operation *> findPath(mlir::Block &block,
                                                mlir::Operation *end);
  llvm::LogicalResult visit(mlir::Operation *op);

  mlir::OpBuilder &builder;
  /// Maps floats that depend on a value of `wrt` to the first such value's
  /// name.
  llvm::DenseMap<mlir::Value, mlir::Value> origins;
  llvm::DenseMap<mlir::Value, mlir::Value> cotangents;
};

} // namespace gensyn::repro

#endif
