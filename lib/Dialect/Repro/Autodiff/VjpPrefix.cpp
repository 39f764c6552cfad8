// Vector-Jacobian products of scan and sort.

#include "AlongDim.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

/// dx[i] = r[i] · y[i - 1] with r[i] = g[i] + r[i + 1] · x[i + 1]: without
/// division, so it is exact for elements of zero. The recurrence is solved by
/// doubling: after the step of distance h, r[i] has the terms up to i + 2h - 1,
/// and a[i] is the product of x[i + 1] to x[i + 2h].
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
  Value g = cotangents[0]; // positions have no cotangents
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
