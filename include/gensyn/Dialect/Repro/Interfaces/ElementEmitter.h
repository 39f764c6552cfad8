// What ElementOpInterface::emitElement is given to work with.

#ifndef GENSYN_DIALECT_REPRO_INTERFACES_ELEMENTEMITTER_H
#define GENSYN_DIALECT_REPRO_INTERFACES_ELEMENTEMITTER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace gensyn::repro {

/// Emits single elements of tensors at the builder's insertion point.
class ElementEmitter {
public:
  explicit ElementEmitter(mlir::OpBuilder &builder) : builder(builder) {}
  virtual ~ElementEmitter() = default;

  /// The element of `tensor` at `indices` (one index-typed value per dimension),
  /// as a scalar with a signless element type. The indices must be in bounds.
  virtual mlir::Value element(mlir::Value tensor,
                              llvm::ArrayRef<mlir::Value> indices) = 0;

  /// Runs `emit` with the insertion point inside a new region's block: elements
  /// computed there do not dominate what follows, so none of them is reused.
  virtual void inNestedRegion(llvm::function_ref<void()> emit) = 0;

  mlir::OpBuilder &builder;
};

} // namespace gensyn::repro

#endif
