// Integer arithmetic of generated code: positions, sizes, numbers of threads.

#ifndef GENSYN_CODEGEN_KERNEL_INDEXBUILDER_H
#define GENSYN_CODEGEN_KERNEL_INDEXBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace gensyn::codegen {

/// Emits at the builder's insertion point, and folds as it goes: x + 0, x * 1
/// and x / 1 are x. (arith::ArithBuilder of MLIR does not fold and does not
/// divide.) Division, remainder and comparison are unsigned, for numbers that
/// are not negative. A null predicate is one that always holds.
class IndexBuilder {
public:
  using Value = mlir::Value;

  /// Numbers are of type index.
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location location);
  virtual ~IndexBuilder() = default;

  virtual Value constant(int64_t value) const;
  Value operator()(int64_t value) const { return constant(value); }

  Value add(Value x, Value y) const;
  Value add(Value x, int64_t y) const;
  Value sub(Value x, Value y) const;
  Value mul(Value x, Value y) const;
  Value mul(Value x, int64_t y) const;
  Value div(Value x, Value y) const;
  Value div(Value x, int64_t y) const;
  Value rem(Value x, Value y) const;
  Value rem(Value x, int64_t y) const;
  Value min(Value x, Value y) const;
  Value min(Value x, int64_t y) const { return min(x, constant(y)); }

  Value compare(mlir::arith::CmpIPredicate predicate, Value x, Value y) const;
  Value compare(mlir::arith::CmpIPredicate predicate, Value x,
                int64_t y) const {
    return compare(predicate, x, constant(y));
  }
  /// x < y as unsigned numbers, so that a negative x is not.
  Value less(Value x, Value y) const;
  Value less(Value x, int64_t y) const { return less(x, constant(y)); }
  Value both(Value p, Value q) const;
  Value select(Value p, Value x, Value y) const;

  /// A number as an i32, an i64, or a value of type index.
  Value toI32(Value x) const;
  Value toI64(Value x) const;
  Value toIndex(Value x) const;

  /// The indices of element `number`, row-major, of a box. It has to be one of
  /// its elements.
  llvm::SmallVector<Value> delinearize(Value number,
                                       llvm::ArrayRef<int64_t> extents) const;

  mlir::OpBuilder &b;
  mlir::Location loc;

protected:
  /// Numbers are of type `type`; sums and products do not overflow as `flags`
  /// has it.
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location location,
               mlir::Type type, mlir::arith::IntegerOverflowFlags flags);

  mlir::Type type;

private:
  mlir::arith::IntegerOverflowFlags flags;
};

/// `indices` with `index` put in as that of dimension `dim`.
llvm::SmallVector<mlir::Value> insertIndex(llvm::ArrayRef<mlir::Value> indices,
                                           int64_t dim, mlir::Value index);

} // namespace gensyn::codegen

#endif
