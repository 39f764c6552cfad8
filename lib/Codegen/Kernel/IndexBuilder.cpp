// See IndexBuilder.h.

#include "gensyn/Codegen/Kernel/IndexBuilder.h"

using namespace mlir;

namespace gensyn::codegen {

IndexBuilder::IndexBuilder(OpBuilder &builder, Location location)
    : IndexBuilder(builder, location, builder.getIndexType(),
                   arith::IntegerOverflowFlags::none) {}

IndexBuilder::IndexBuilder(OpBuilder &builder, Location location, Type type,
                           arith::IntegerOverflowFlags flags)
    : b(builder), loc(location), type(type), flags(flags) {}

Value IndexBuilder::constant(int64_t value) const {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

Value IndexBuilder::add(Value x, Value y) const {
  return isConstantIntValue(x, 0)
             ? y
             : b.createOrFold<arith::AddIOp>(loc, x, y, flags);
}
Value IndexBuilder::add(Value x, int64_t y) const {
  return y == 0 ? x : add(x, constant(y));
}
Value IndexBuilder::sub(Value x, Value y) const {
  return b.createOrFold<arith::SubIOp>(loc, x, y, flags);
}
Value IndexBuilder::mul(Value x, Value y) const {
  return b.createOrFold<arith::MulIOp>(loc, x, y, flags);
}
Value IndexBuilder::mul(Value x, int64_t y) const {
  return y == 1 ? x : y == 0 ? constant(0) : mul(x, constant(y));
}
Value IndexBuilder::div(Value x, Value y) const {
  return b.createOrFold<arith::DivUIOp>(loc, x, y);
}
Value IndexBuilder::div(Value x, int64_t y) const {
  return y == 1 ? x : div(x, constant(y));
}
Value IndexBuilder::rem(Value x, Value y) const {
  return b.createOrFold<arith::RemUIOp>(loc, x, y);
}
Value IndexBuilder::rem(Value x, int64_t y) const {
  return y == 1 ? constant(0) : rem(x, constant(y));
}
Value IndexBuilder::min(Value x, Value y) const {
  return b.createOrFold<arith::MinUIOp>(loc, x, y);
}

Value IndexBuilder::compare(arith::CmpIPredicate predicate, Value x,
                            Value y) const {
  return b.createOrFold<arith::CmpIOp>(loc, predicate, x, y);
}
Value IndexBuilder::less(Value x, Value y) const {
  return compare(arith::CmpIPredicate::ult, x, y);
}
Value IndexBuilder::both(Value p, Value q) const {
  if (!p || !q)
    return p ? p : q;
  return b.createOrFold<arith::AndIOp>(loc, p, q);
}
Value IndexBuilder::select(Value p, Value x, Value y) const {
  return p ? b.createOrFold<arith::SelectOp>(loc, p, x, y) : x;
}

Value IndexBuilder::widen(Value x) const {
  return x.getType() == type ? x : b.createOrFold<arith::ExtSIOp>(loc, type, x);
}
Value IndexBuilder::toI32(Value x) const {
  return b.createOrFold<arith::IndexCastOp>(loc, b.getI32Type(), x);
}
Value IndexBuilder::toI64(Value x) const {
  return b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), x);
}
Value IndexBuilder::toIndex(Value x) const {
  return b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), x);
}

SmallVector<Value> IndexBuilder::delinearize(Value number,
                                             ArrayRef<int64_t> extents) const {
  SmallVector<Value> indices(extents.size());
  for (size_t dim = extents.size(); dim-- > 0;) {
    Value extent = constant(extents[dim]);
    indices[dim] = dim == 0 ? number : rem(number, extent);
    number = dim == 0 ? number : div(number, extent);
  }
  return indices;
}

SmallVector<Value> insertIndex(ArrayRef<Value> indices, int64_t dim,
                               Value index) {
  SmallVector<Value> result(indices);
  result.insert(result.begin() + dim, index);
  return result;
}

} // namespace gensyn::codegen
