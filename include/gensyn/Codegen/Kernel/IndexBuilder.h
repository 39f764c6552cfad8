// Integer arithmetic of generated code: indices, sizes, numbers of threads.

#ifndef GENSYN_CODEGEN_KERNEL_INDEXBUILDER_H
#define GENSYN_CODEGEN_KERNEL_INDEXBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace gensyn::codegen {

/// Emits at the builder's insertion point, and simplifies x + 0, x * 1 and x /
/// 1 to x. (MLIR's arith::ArithBuilder does not fold and has no division.)
/// Division, remainder and comparison are unsigned, for values that are not
/// negative. A null predicate means true.
class IndexBuilder {
public:
  using Value = mlir::Value;

  /// Values are of type index.
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
  /// x < y as unsigned numbers, so it is false for a negative x.
  Value less(Value x, Value y) const;
  Value less(Value x, int64_t y) const { return less(x, constant(y)); }
  Value both(Value p, Value q) const;
  Value select(Value p, Value x, Value y) const;

  /// Returns the integer, which is signed and has no more bits, in the type of
  /// this builder's values.
  Value widen(Value x) const;

  /// Converts to i32, i64 or index.
  Value toI32(Value x) const;
  Value toI64(Value x) const;
  Value toIndex(Value x) const;

  /// Returns the indices of row-major element `number` of a box, which must
  /// contain it.
  llvm::SmallVector<Value> delinearize(Value number,
                                       llvm::ArrayRef<int64_t> extents) const;

  /// Values are of type `type`; sums and products have the overflow flags
  /// `flags`.
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location location,
               mlir::Type type, mlir::arith::IntegerOverflowFlags flags);

  mlir::OpBuilder &b;
  mlir::Location loc;

protected:
  mlir::Type type;

private:
  mlir::arith::IntegerOverflowFlags flags;
};

/// Returns `indices` with `index` inserted as that of dimension `dim`.
llvm::SmallVector<mlir::Value> insertIndex(llvm::ArrayRef<mlir::Value> indices,
                                           int64_t dim, mlir::Value index);

} // namespace gensyn::codegen

#endif
