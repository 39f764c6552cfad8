// The interface that ElementOpInterface::emitElement emits through.

#ifndef GENSYN_DIALECT_REPRO_INTERFACES_ELEMENTEMITTER_H
#define GENSYN_DIALECT_REPRO_INTERFACES_ELEMENTEMITTER_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace gensyn::repro {

/// Emits single elements of tensors at the builder's insertion point.
///
/// An element is a scalar, or a vector of elements if the emitter works on
/// several at once (then an op's model must not depend on the number of lanes).
/// Its type is the tensor's element type, except that unsigned integers are
/// signless and that storage types are their bit patterns, in i16 or i8 with
/// the upper bits 0.
class ElementEmitter {
public:
  ElementEmitter(mlir::OpBuilder &builder, mlir::Location location)
      : builder(builder), location(location) {}
  virtual ~ElementEmitter() = default;

  /// The element of `tensor` at `indices` (one index-typed value per
  /// dimension). The indices must be in bounds. A second request for the same
  /// element in the same region returns the same value.
  virtual mlir::Value element(mlir::Value tensor,
                              llvm::ArrayRef<mlir::Value> indices) = 0;

  /// The value of `expr` over `dims` (d0 is dims[0]), reused like elements. The
  /// dividend of floordiv and mod may not be negative.
  virtual mlir::Value apply(mlir::AffineExpr expr,
                            llvm::ArrayRef<mlir::Value> dims) = 0;

  /// Runs `emit` with the insertion point inside a new region's block. Elements
  /// computed there do not dominate the ops after it, so none of them is
  /// reused.
  virtual void inNestedRegion(llvm::function_ref<void()> emit) = 0;

  /// Marks a float as computed by arithmetic, so that a NaN in it may have any
  /// payload; returns it.
  virtual mlir::Value markComputed(mlir::Value value) = 0;

  /// `value` with any NaN replaced by the canonical one, if it was marked; else
  /// `value` itself. Must be called where a value leaves arithmetic (g4).
  virtual mlir::Value canonical(mlir::Value value) = 0;

  /// `scalar`, an element that is the same for all lanes, in the emitter's type
  /// of elements: itself, or a vector of it.
  virtual mlir::Value splat(mlir::Value scalar) = 0;

  /// Records a fault of `op` at `position`, an index (the row-major element
  /// that the op's rule names), if `condition`, an i1, is true.
  virtual void fault(mlir::Operation *op, mlir::Value condition,
                     mlir::Value position) = 0;

  /// Reads back an element of `buffer`, which holds a tensor of element type
  /// `element`: for results of an op that it reads while it writes them.
  virtual mlir::Value readBuffer(mlir::Type element, mlir::Value buffer,
                                 llvm::ArrayRef<mlir::Value> indices) = 0;

  /// Writes an element, with its NaN canonical, to a buffer.
  virtual void writeBuffer(mlir::Value value, mlir::Value buffer,
                           llvm::ArrayRef<mlir::Value> indices) = 0;

  /// True if f64 arithmetic is many times slower than f32's where scalars are
  /// computed, as on sm_75, 86, 89 and 120 (an emitter for GPUs overrides
  /// this). Functions of f32 then avoid it; their results are the same.
  virtual bool slowDouble() const { return false; }

  /// True if a comparison of indices is the same for all lanes, and a branch on
  /// it costs less than both sides.
  virtual bool hasUniformBranches() const { return false; }

  mlir::OpBuilder &builder;
  mlir::Location location;
};

} // namespace gensyn::repro

#endif
