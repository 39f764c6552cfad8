// Movement and arithmetic along one dimension, for derivatives of prefixes.

#ifndef GENSYN_LIB_DIALECT_REPRO_AUTODIFF_ALONGDIM_H
#define GENSYN_LIB_DIALECT_REPRO_AUTODIFF_ALONGDIM_H

#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"

namespace gensyn::repro {

/// Movement and arithmetic along one dimension of tensors whose other extents
/// are equal.
class AlongDim : public FormulaBuilder {
public:
  AlongDim(mlir::OpBuilder &builder, mlir::Location location, int64_t dim)
      : FormulaBuilder(builder, location), dim(dim) {}

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
  /// x + a y where y is not zero, else x: an infinite `a` has no effect on a
  /// cotangent of zero.
  mlir::Value addProduct(mlir::Value x, mlir::Value a, mlir::Value y) {
    mlir::Value isZero = compare(CompareKind::Eq, y, 0.0);
    return select(isZero, x, add(x, mul(a, y)));
  }
  /// The product of all elements before each one; 1 for the first.
  mlir::Value productBefore(mlir::Value x) {
    mlir::Value ones = fill(slice(x, 0, 1), 1);
    if (extent(x) == 1)
      return ones;
    return concat(ones, scan(ReduceKind::Product, slice(x, 0, extent(x) - 1)));
  }

private:
  int64_t dim;
};

} // namespace gensyn::repro

#endif
