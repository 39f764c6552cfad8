// See SortItems.h.

#include "SortItems.h"

using namespace mlir;

namespace gensyn::gpu {

static Value constantOf(KernelBuilder &b, Type type, uint64_t bits) {
  return arith::ConstantOp::create(
      b.b, b.loc,
      IntegerAttr::get(type, APInt(type.getIntOrFloatBitWidth(), bits,
                                   /*isSigned=*/false,
                                   /*implicitTrunc=*/true)));
}

SmallVector<Type> SortItems::types() const {
  SmallVector<Type> result;
  for (int64_t bytes : item.words())
    result.push_back(b.b.getIntegerType(static_cast<unsigned>(8 * bytes)));
  return result;
}

SortItem SortItems::make(Value key, Value position) {
  if (item.wordBits == 0)
    return {key, position};
  Type word = types()[0];
  if (item.keyBits < item.wordBits)
    key = arith::ExtUIOp::create(b.b, b.loc, word, key);
  if (item.wordBits > 32)
    position = arith::ExtUIOp::create(b.b, b.loc, word, position);
  key = arith::ShLIOp::create(b.b, b.loc, key,
                              constantOf(b, word, item.positionBits()));
  return {arith::OrIOp::create(b.b, b.loc, key, position)};
}

SortItem SortItems::last() {
  SortItem result;
  for (Type type : types())
    result.push_back(constantOf(b, type, ~uint64_t{0}));
  return result;
}

Value SortItems::position(const SortItem &x) {
  if (item.wordBits == 0)
    return x[1];
  if (item.wordBits == 64)
    return arith::TruncIOp::create(b.b, b.loc, b.b.getI32Type(), x[0]);
  return b.bitAnd(x[0], (int64_t{1} << item.positionBits()) - 1);
}

Value SortItems::compare(arith::CmpIPredicate predicate, Value x, Value y) {
  return arith::CmpIOp::create(b.b, b.loc, predicate, x, y);
}

Value SortItems::isBefore(const SortItem &x, const SortItem &y) {
  using P = arith::CmpIPredicate;
  Value ahead = compare(P::ult, x[0], y[0]);
  if (x.size() == 1)
    return ahead;
  Value tie = b.both(compare(P::eq, x[0], y[0]), compare(P::ult, x[1], y[1]));
  return arith::OrIOp::create(b.b, b.loc, ahead, tie);
}

SortItem SortItems::choose(Value p, const SortItem &x, const SortItem &y) {
  SortItem result;
  for (auto [one, other] : llvm::zip_equal(x, y))
    result.push_back(b.select(p, one, other));
  return result;
}

SortItem SortItems::exchange(const SortItem &x, Value mask) {
  SortItem result;
  for (Value word : x)
    result.push_back(
        b.shuffle(word, ShuffleKind::Xor, mask, b.target.warpSize));
  return result;
}

void SortItems::store(const SortItem &x, Value shared, Value slot) {
  for (Value word : x) {
    const int64_t bytes = word.getType().getIntOrFloatBitWidth() / 8;
    b.store(word, b.far(shared, slot, bytes));
    shared = b.at(shared, slots * bytes);
  }
}

SortItem SortItems::load(Value shared, Value slot) {
  SortItem result;
  for (Type type : types()) {
    const int64_t bytes = type.getIntOrFloatBitWidth() / 8;
    result.push_back(b.load(type, b.far(shared, slot, bytes), 1));
    shared = b.at(shared, slots * bytes);
  }
  return result;
}

Value SortItems::address(Value buffer, Value number, Type type) {
  Value wide = arith::IndexCastOp::create(b.b, b.loc, b.b.getI64Type(), number);
  return LLVM::GEPOp::create(b.b, b.loc, buffer.getType(), type, buffer,
                             ValueRange{wide}, LLVM::GEPNoWrapFlags::inbounds);
}

void SortItems::store(const SortItem &x, ValueRange buffers, Value number) {
  for (auto [word, buffer] : llvm::zip_equal(x, buffers))
    b.store(word, address(buffer, number, word.getType()));
}

SortItem SortItems::load(ValueRange buffers, Value number) {
  SortItem result;
  for (auto [type, buffer] : llvm::zip_equal(types(), buffers))
    result.push_back(
        b.load(type, address(buffer, number, type), 1, /*constant=*/true));
  return result;
}

} // namespace gensyn::gpu
