// Vector-Jacobian products of scan and sort.

#include "TensorTypes.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {
/// Movement and arithmetic along one dimension of tensors that are alike in the
/// others.
class AlongDim {
public:
  AlongDim(OpBuilder &builder, Location location, int64_t dim)
      : builder(builder), location(location), dim(dim) {}

  int64_t extent(Value x) const { return typeOf(x).getDimSize(dim); }
  Value slice(Value x, int64_t start, int64_t limit) const {
    auto type = typeOf(x);
    SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1);
    SmallVector<int64_t> limits(type.getShape()), shape(type.getShape());
    starts[dim] = start;
    limits[dim] = limit;
    shape[dim] = limit - start;
    return SliceOp::create(builder, location, type.clone(shape), x, starts,
                           limits, strides);
  }
  Value concat(Value x, Value y) const {
    return ConcatOp::create(builder, location, ValueRange{x, y},
                            static_cast<uint64_t>(dim));
  }
  Value reverse(Value x) const {
    return ReverseOp::create(builder, location, x, ArrayRef<int64_t>{dim});
  }
  Value scan(ReduceKind kind, Value x) const {
    return ScanOp::create(builder, location, x.getType(), kind, x, dim,
                          OrderAttr());
  }
  Value mul(Value x, Value y) const {
    return MulOp::create(builder, location, x.getType(), x, y);
  }
  Value add(Value x, Value y) const {
    return AddOp::create(builder, location, x.getType(), x, y);
  }
  Value filled(Value like, double value) const {
    return createFilled(builder, location, typeOf(like), value);
  }
  /// x + a y where y is not zero, else x: what overflows beside a zero
  /// cotangent stays out.
  Value addProduct(Value x, Value a, Value y) const {
    Value isZero = CompareOp::create(builder, location,
                                     typeOf(y).clone(builder.getI1Type()),
                                     CompareKind::Eq, y, filled(y, 0));
    return SelectOp::create(builder, location, isZero, x, add(x, mul(a, y)));
  }
  /// The product of all elements before each: 1 at the first.
  Value productBefore(Value x) const {
    Value ones = filled(slice(x, 0, 1), 1);
    if (extent(x) == 1)
      return ones;
    return concat(ones, scan(ReduceKind::Product, slice(x, 0, extent(x) - 1)));
  }

private:
  OpBuilder &builder;
  Location location;
  int64_t dim;
};
} // namespace

/// dx[i] = r[i] · y[i - 1] with r[i] = g[i] + r[i + 1] · x[i + 1]: no division,
/// so exact where elements are zero. The recurrence is solved by doubling:
/// after the step of distance h, r[i] has the terms up to i + 2h - 1, and a[i]
/// is the product of x[i + 1] to x[i + 2h].
static Value productVjp(AlongDim along, Value x, Value g) {
  const int64_t n = along.extent(x);
  Value r = g;
  Value a = n > 1 ? along.slice(x, 1, n) : Value();
  for (int64_t h = 1; h < n; h *= 2) {
    Value reached =
        along.addProduct(along.slice(r, 0, n - h), along.slice(a, 0, n - h),
                         along.slice(r, h, n));
    Value next = along.concat(reached, along.slice(r, n - h, n));
    if (2 * h < n)
      a = along.mul(along.slice(a, 0, n - 2 * h), along.slice(a, h, n - h));
    r = next;
  }
  return along.mul(r, along.productBefore(x));
}

LogicalResult ScanOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                               ArrayRef<bool> needed,
                               MutableArrayRef<Value> gradients) {
  Value g = cotangents[0];
  if (!g || !needed[0])
    return success();
  AlongDim along(builder, getLoc(), static_cast<int64_t>(getDim()));
  if (getKind() == ReduceKind::Sum) {
    gradients[0] = along.reverse(along.scan(getKind(), along.reverse(g)));
    return success();
  }
  if (getKind() != ReduceKind::Product)
    return emitOpError("of kind ")
           << stringifyReduceKind(getKind()) << " has no derivative";
  gradients[0] =
      typeOf(g).getNumElements() == 0 ? g : productVjp(along, getOperand(), g);
  return success();
}

LogicalResult SortOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                               ArrayRef<bool> needed,
                               MutableArrayRef<Value> gradients) {
  Value g = cotangents[0]; // positions have none
  if (!g || !needed[0])
    return success();
  const auto rank = static_cast<unsigned>(typeOf(g).getRank());
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> at;
  for (unsigned i = 0; i < rank; ++i)
    at.push_back(getAffineDimExpr(i, context));
  at[getDim()] = getAffineSymbolExpr(0, context);
  auto maps =
      builder.getAffineMapArrayAttr({AffineMap::get(rank, 1, at, context),
                                     builder.getMultiDimIdentityMap(rank)});
  auto type = typeOf(getOperand());
  gradients[0] =
      ScatterOp::create(builder, getLoc(), type, ScatterKind::Add,
                        createFilled(builder, getLoc(), type, 0), g,
                        ValueRange{getPositions()}, maps, IndexBound::Zero);
  return success();
}
