// Numbers of type index, and where they lead in a tensor.

#ifndef GENSYN_LIB_CODEGEN_GPU_COMMON_INDEXCODE_H
#define GENSYN_LIB_CODEGEN_GPU_COMMON_INDEXCODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace gensyn::gpu {

/// Emits at the builder's insertion point. Numbers are not negative.
class IndexCode {
public:
  IndexCode(mlir::OpBuilder &builder, mlir::Location location)
      : b(builder), loc(location) {}

  mlir::Value constant(int64_t value) const {
    return mlir::arith::ConstantIndexOp::create(b, loc, value);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) const {
    return b.createOrFold<mlir::arith::AddIOp>(loc, x, y);
  }
  mlir::Value add(mlir::Value x, int64_t y) const {
    return y == 0 ? x : add(x, constant(y));
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) const {
    return b.createOrFold<mlir::arith::SubIOp>(loc, x, y);
  }
  mlir::Value mul(mlir::Value x, int64_t y) const {
    return y == 1 ? x
                  : b.createOrFold<mlir::arith::MulIOp>(loc, x, constant(y));
  }
  mlir::Value div(mlir::Value x, int64_t y) const {
    return y == 1 ? x
                  : b.createOrFold<mlir::arith::DivUIOp>(loc, x, constant(y));
  }
  mlir::Value rem(mlir::Value x, int64_t y) const {
    return b.createOrFold<mlir::arith::RemUIOp>(loc, x, constant(y));
  }
  mlir::Value min(mlir::Value x, int64_t y) const {
    return min(x, constant(y));
  }
  mlir::Value min(mlir::Value x, mlir::Value y) const {
    return b.createOrFold<mlir::arith::MinUIOp>(loc, x, y);
  }
  mlir::Value less(mlir::Value x, int64_t y) const {
    return less(x, constant(y));
  }
  mlir::Value less(mlir::Value x, mlir::Value y) const {
    return b.createOrFold<mlir::arith::CmpIOp>(
        loc, mlir::arith::CmpIPredicate::ult, x, y);
  }
  mlir::Value choose(mlir::Value p, mlir::Value x, mlir::Value y) const {
    return b.createOrFold<mlir::arith::SelectOp>(loc, p, x, y);
  }
  /// To and from numbers of 32 bits.
  mlir::Value toWord(mlir::Value x) const {
    return b.createOrFold<mlir::arith::IndexCastOp>(loc, b.getI32Type(), x);
  }
  mlir::Value fromWord(mlir::Value x) const {
    return b.createOrFold<mlir::arith::IndexCastOp>(loc, b.getIndexType(), x);
  }

  /// The indices of the element `number`, row-major, of a box.
  llvm::SmallVector<mlir::Value> split(mlir::Value number,
                                       llvm::ArrayRef<int64_t> extents) const {
    llvm::SmallVector<mlir::Value> indices(extents.size());
    for (size_t dim = extents.size(); dim-- > 0;) {
      indices[dim] = dim == 0 ? number : rem(number, extents[dim]);
      number = dim == 0 ? number : div(number, extents[dim]);
    }
    return indices;
  }
  /// `indices` with one more of dimension `dim`.
  static llvm::SmallVector<mlir::Value>
  insert(llvm::ArrayRef<mlir::Value> indices, int64_t dim, mlir::Value index) {
    llvm::SmallVector<mlir::Value> result(indices);
    result.insert(result.begin() + dim, index);
    return result;
  }

private:
  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace gensyn::gpu

#endif
