// Movement and arithmetic along one dimension, for derivatives of prefixes.

#ifndef GENSYN_LIB_DIALECT_REPRO_IR_ALONGDIM_H
#define GENSYN_LIB_DIALECT_REPRO_IR_ALONGDIM_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

namespace gensyn::repro {

/// Movement and arithmetic along one dimension of tensors that are alike in the
/// others.
class AlongDim {
public:
  AlongDim(mlir::OpBuilder &builder, mlir::Location location, int64_t dim)
      : builder(builder), location(location), dim(dim) {}

  int64_t extent(mlir::Value x) const { return typeOf(x).getDimSize(dim); }
  mlir::Value slice(mlir::Value x, int64_t start, int64_t limit) const {
    auto type = typeOf(x);
    llvm::SmallVector<int64_t> starts(type.getRank(), 0),
        strides(type.getRank(), 1);
    llvm::SmallVector<int64_t> limits(type.getShape()), shape(type.getShape());
    starts[dim] = start;
    limits[dim] = limit;
    shape[dim] = limit - start;
    return SliceOp::create(builder, location, type.clone(shape), x, starts,
                           limits, strides);
  }
  mlir::Value concat(mlir::Value x, mlir::Value y) const {
    return ConcatOp::create(builder, location, mlir::ValueRange{x, y},
                            static_cast<uint64_t>(dim));
  }
  mlir::Value reverse(mlir::Value x) const {
    return ReverseOp::create(builder, location, x,
                             llvm::ArrayRef<int64_t>{dim});
  }
  mlir::Value scan(ReduceKind kind, mlir::Value x) const {
    return ScanOp::create(builder, location, x.getType(), kind, x, dim,
                          OrderAttr());
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) const {
    return MulOp::create(builder, location, x.getType(), x, y);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) const {
    return AddOp::create(builder, location, x.getType(), x, y);
  }
  mlir::Value filled(mlir::Value like, double value) const {
    return createFilled(builder, location, typeOf(like), value);
  }
  /// x + a y where y is not zero, else x: what overflows beside a zero
  /// cotangent stays out.
  mlir::Value addProduct(mlir::Value x, mlir::Value a, mlir::Value y) const {
    mlir::Value isZero = CompareOp::create(builder, location,
                                           typeOf(y).clone(builder.getI1Type()),
                                           CompareKind::Eq, y, filled(y, 0));
    return SelectOp::create(builder, location, isZero, x, add(x, mul(a, y)));
  }
  /// The product of all elements before each: 1 at the first.
  mlir::Value productBefore(mlir::Value x) const {
    mlir::Value ones = filled(slice(x, 0, 1), 1);
    if (extent(x) == 1)
      return ones;
    return concat(ones, scan(ReduceKind::Product, slice(x, 0, extent(x) - 1)));
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location location;
  int64_t dim;
};

} // namespace gensyn::repro

#endif
