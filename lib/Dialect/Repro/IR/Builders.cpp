// Helpers that build the common forms; see Repro.h.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Numerics/Scalar.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

Value repro::createFilled(OpBuilder &builder, Location location,
                          RankedTensorType type, double value) {
  auto scalarType = RankedTensorType::get({}, type.getElementType());
  Tensor scalar(*getElementType(type.getElementType()), {});
  dispatch(scalar.elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    *scalar.as<T>() = scalar::convert<T>(value);
  });
  Value constant =
      ConstantOp::create(builder, location, scalarType,
                         cast<TypedAttr>(static_cast<Attribute>(
                             toAttribute(builder.getContext(), scalar))));
  return createBroadcast(builder, location, constant, type, {});
}

Value repro::createBroadcast(OpBuilder &builder, Location location, Value value,
                             RankedTensorType type, ArrayRef<int64_t> dims) {
  if (value.getType() == type)
    return value;
  return BroadcastOp::create(builder, location, type, value,
                             builder.getDenseI64ArrayAttr(dims));
}

Value repro::createReshape(OpBuilder &builder, Location location, Value value,
                           ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return ReshapeOp::create(builder, location, type.clone(shape), value);
}

Value repro::createReduce(OpBuilder &builder, Location location,
                          ReduceKind kind, Value value, int64_t first,
                          int64_t last) {
  auto type = cast<RankedTensorType>(value.getType());
  MLIRContext *context = builder.getContext();
  SmallVector<int64_t> shape, reduced;
  SmallVector<AffineExpr> kept;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim >= first && dim <= last) {
      reduced.push_back(dim);
      continue;
    }
    shape.push_back(type.getDimSize(dim));
    kept.push_back(getAffineDimExpr(dim, context));
  }
  auto domain = DomainAttr::get(context, type.getShape(), reduced);
  auto maps = builder.getAffineMapArrayAttr(
      {builder.getMultiDimIdentityMap(type.getRank()),
       AffineMap::get(type.getRank(), 0, kept, context)});
  return ReduceOp::create(builder, location, type.clone(shape), kind, value,
                          domain, maps, OrderAttr());
}

Value repro::createReduceDims(OpBuilder &builder, Location location,
                              ReduceKind kind, Value value,
                              ArrayRef<int64_t> dims) {
  SmallVector<int64_t> sorted(dims);
  llvm::sort(sorted);
  // Innermost run first, so that the dimensions of later runs keep their
  // places.
  for (size_t end = sorted.size(); end > 0;) {
    size_t begin = end - 1;
    while (begin > 0 && sorted[begin - 1] + 1 == sorted[begin])
      --begin;
    value = createReduce(builder, location, kind, value, sorted[begin],
                         sorted[end - 1]);
    end = begin;
  }
  return value;
}

Value repro::createMatmul(OpBuilder &builder, Location location, Value lhs,
                          Value rhs, bool transposeLhs, bool transposeRhs) {
  auto left = cast<RankedTensorType>(lhs.getType());
  auto right = cast<RankedTensorType>(rhs.getType());
  int64_t m = left.getDimSize(transposeLhs ? 1 : 0);
  int64_t k = left.getDimSize(transposeLhs ? 0 : 1);
  int64_t n = right.getDimSize(transposeRhs ? 0 : 1);
  MLIRContext *context = builder.getContext();
  auto map = [&](unsigned first, unsigned second, bool swap) {
    if (swap)
      std::swap(first, second);
    return AffineMap::get(
        3, 0,
        {getAffineDimExpr(first, context), getAffineDimExpr(second, context)},
        context);
  };
  auto maps = builder.getAffineMapArrayAttr(
      {map(0, 2, transposeLhs), map(2, 1, transposeRhs), map(0, 1, false)});
  return ContractOp::create(
      builder, location, left.clone({m, n}), lhs, rhs,
      DomainAttr::get(context, {m, n, k}, {2}), maps,
      builder.getDenseI32ArrayAttr({int32_t(Bound::In), int32_t(Bound::In)}),
      OrderAttr());
}
