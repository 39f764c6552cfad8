// Elementwise operations as IR; see gensyn/Numerics/Scalar.h for their
// semantics.

#include "gensyn/Codegen/Emit/Scalar.h"

#include "gensyn/Codegen/Emit/Arithmetic.h"

using namespace mlir;

namespace gensyn::emit {

using CmpI = arith::CmpIPredicate;
using CmpF = arith::CmpFPredicate;

Value Scalar::constant(Value like, uint64_t bits) {
  Type shape = like.getType();
  auto vector = dyn_cast<VectorType>(shape);
  Emit emit(builder, location, vector ? vector.getNumElements() : 0);
  return emit.constant(getElementTypeOrSelf(shape), bits);
}

Value Scalar::scalarBits(uint64_t bits) {
  Type element = type;
  if (isNarrow())
    element = builder.getIntegerType(width() > 8 ? 16 : 8);
  else if (auto integer = dyn_cast<IntegerType>(type))
    element = builder.getIntegerType(integer.getWidth());
  return Emit(builder, location).constant(element, bits);
}

Value Scalar::number(double value) {
  if (!isFloat())
    return scalarBits(static_cast<uint64_t>(static_cast<int64_t>(value)));
  APFloat real(value);
  bool lost;
  real.convert(cast<FloatType>(type).getFloatSemantics(),
               APFloat::rmNearestTiesToEven, &lost);
  return scalarBits(real.bitcastToAPInt().getZExtValue());
}

Value Scalar::choose(Value predicate, Value a, Value b) {
  return builder.createOrFold<arith::SelectOp>(location, predicate, a, b);
}

// Floats are not folded: a product with 1 would be the operand itself, and
// marking it as computed would affect all other users of the operand.
Value Scalar::add(Value a, Value b) {
  if (isFloat())
    return emitter.markComputed(arith::AddFOp::create(builder, location, a, b));
  return builder.createOrFold<arith::AddIOp>(location, a, b);
}
Value Scalar::sub(Value a, Value b) {
  if (isFloat())
    return emitter.markComputed(arith::SubFOp::create(builder, location, a, b));
  return builder.createOrFold<arith::SubIOp>(location, a, b);
}
Value Scalar::mul(Value a, Value b) {
  if (isFloat())
    return emitter.markComputed(arith::MulFOp::create(builder, location, a, b));
  return builder.createOrFold<arith::MulIOp>(location, a, b);
}

Scalar::Divisor Scalar::makeSafe(Value b) {
  Value zero = constant(b, 0), one = constant(b, 1), ones = constant(b, ~0ull);
  Value byZero = arith::CmpIOp::create(builder, location, CmpI::eq, b, zero);
  Value byMinus, safe = b;
  if (!isUnsigned()) {
    byMinus = arith::CmpIOp::create(builder, location, CmpI::eq, b, ones);
    safe = choose(byMinus, one, b);
  }
  safe = choose(byZero, one, safe);
  return {safe, byZero, byMinus, zero, ones};
}

Value Scalar::div(Value a, Value b) {
  if (isFloat())
    return emitter.markComputed(arith::DivFOp::create(builder, location, a, b));
  Divisor by = makeSafe(b);
  if (isUnsigned()) {
    Value q = arith::DivUIOp::create(builder, location, a, by.safe);
    return choose(by.byZero, by.ones, q);
  }
  Value q = arith::DivSIOp::create(builder, location, a, by.safe);
  Value negated = arith::SubIOp::create(builder, location, by.zero, a);
  return choose(by.byZero, by.ones, choose(by.byMinus, negated, q));
}

Value Scalar::rem(Value a, Value b) {
  if (isFloat())
    return fmod(a, b);
  Divisor by = makeSafe(b);
  if (isUnsigned()) {
    Value r = arith::RemUIOp::create(builder, location, a, by.safe);
    return choose(by.byZero, a, r);
  }
  Value r = arith::RemSIOp::create(builder, location, a, by.safe); // by 1: 0
  return choose(by.byZero, a, r);
}

Value Scalar::min(Value a, Value b) { return extreme(a, b, false); }
Value Scalar::max(Value a, Value b) { return extreme(a, b, true); }

// Equal floats have the same bits or are zeros of both signs: `and` makes +0 of
// those, `or` makes -0.
Value Scalar::extreme(Value a, Value b, bool greater) {
  if (!isFloat()) {
    if (isUnsigned())
      return greater ? builder.createOrFold<arith::MaxUIOp>(location, a, b)
                     : builder.createOrFold<arith::MinUIOp>(location, a, b);
    return greater ? builder.createOrFold<arith::MaxSIOp>(location, a, b)
                   : builder.createOrFold<arith::MinSIOp>(location, a, b);
  }
  Type shape = a.getType();
  Type word = builder.getIntegerType(width());
  if (auto vector = dyn_cast<VectorType>(shape))
    word = VectorType::get(vector.getShape(), word);
  Value wordA = builder.createOrFold<arith::BitcastOp>(location, word, a);
  Value wordB = builder.createOrFold<arith::BitcastOp>(location, word, b);
  Value equal =
      greater ? builder.createOrFold<arith::AndIOp>(location, wordA, wordB)
              : builder.createOrFold<arith::OrIOp>(location, wordA, wordB);
  equal = builder.createOrFold<arith::BitcastOp>(location, shape, equal);
  auto compared = [&](CmpF how) -> Value {
    return builder.createOrFold<arith::CmpFOp>(location, how, a, b);
  };
  Value nan = constant(a, width() == 32 ? 0x7FC00000 : 0x7FF8000000000000);
  Value winsA = compared(greater ? CmpF::OGT : CmpF::OLT);
  Value winsB = compared(greater ? CmpF::OLT : CmpF::OGT);
  Value best = choose(winsA, a, choose(winsB, b, equal));
  return choose(compared(CmpF::UNO), nan, best);
}

Value Scalar::bitAnd(Value a, Value b) {
  return builder.createOrFold<arith::AndIOp>(location, a, b);
}
Value Scalar::bitOr(Value a, Value b) {
  return builder.createOrFold<arith::OrIOp>(location, a, b);
}
Value Scalar::bitXor(Value a, Value b) {
  return builder.createOrFold<arith::XOrIOp>(location, a, b);
}
Value Scalar::bitNot(Value a) {
  return builder.createOrFold<arith::XOrIOp>(location, a, constant(a, ~0ull));
}

// A shift by the width or more is undefined in LLVM.
Value Scalar::shl(Value a, Value amount) {
  Value over = arith::CmpIOp::create(builder, location, CmpI::uge, amount,
                                     constant(amount, width()));
  Value safe = choose(over, constant(amount, 0), amount);
  Value y = arith::ShLIOp::create(builder, location, a, safe);
  return choose(over, constant(a, 0), y);
}
Value Scalar::shr(Value a, Value amount) {
  Value over = arith::CmpIOp::create(builder, location, CmpI::uge, amount,
                                     constant(amount, width()));
  Value safe = choose(over, constant(amount, width() - 1), amount);
  if (!isUnsigned())
    return arith::ShRSIOp::create(builder, location, a, safe);
  Value y = arith::ShRUIOp::create(builder, location, a, safe);
  return choose(over, constant(a, 0), y);
}

Value Scalar::neg(Value a) {
  if (isFloat())
    return emitter.markComputed(arith::NegFOp::create(builder, location, a));
  return builder.createOrFold<arith::SubIOp>(location, constant(a, 0), a);
}
Value Scalar::abs(Value a) {
  if (isFloat()) {
    Emit emit(emitter, a.getType());
    if (width() == 32)
      return emitter.markComputed(emit.abs(Emit::F32{&builder, a}).value);
    return emitter.markComputed(emit.abs(Emit::F64{&builder, a}).value);
  }
  Value negative =
      arith::CmpIOp::create(builder, location, CmpI::slt, a, constant(a, 0));
  return choose(negative, neg(a), a);
}
Value Scalar::sqrt(Value a) {
  Emit emit(emitter, a.getType());
  return emitter.markComputed(emit.sqrt(Emit::F32{&builder, a}).value);
}
Value Scalar::fma(Value a, Value b, Value c) {
  Emit emit(emitter, a.getType());
  return emitter.markComputed(emit.fma(Emit::F32{&builder, a},
                                       Emit::F32{&builder, b},
                                       Emit::F32{&builder, c})
                                  .value);
}

Value Scalar::compare(Value a, Value b, repro::CompareKind kind) {
  if (isNarrow()) {
    a = widen(a);
    b = widen(b);
  }
  auto at = static_cast<unsigned>(kind);
  if (isFloat()) {
    const CmpF how[] = {CmpF::OEQ, CmpF::UNE, CmpF::OLT,
                        CmpF::OLE, CmpF::OGT, CmpF::OGE};
    return builder.createOrFold<arith::CmpFOp>(location, how[at], a, b);
  }
  const CmpI asSigned[] = {CmpI::eq,  CmpI::ne,  CmpI::slt,
                           CmpI::sle, CmpI::sgt, CmpI::sge};
  const CmpI asUnsigned[] = {CmpI::eq,  CmpI::ne,  CmpI::ult,
                             CmpI::ule, CmpI::ugt, CmpI::uge};
  return builder.createOrFold<arith::CmpIOp>(
      location, isUnsigned() ? asUnsigned[at] : asSigned[at], a, b);
}

Value Scalar::select(Value predicate, Value a, Value b) {
  return choose(predicate, emitter.canonical(a), emitter.canonical(b));
}

Value Scalar::orderKey(Value a, bool nanIsLeast) {
  if (!isFloat())
    return a;
  Type word = builder.getIntegerType(width());
  if (auto vector = dyn_cast<VectorType>(a.getType()))
    word = VectorType::get(vector.getShape(), word);
  Value bits = builder.createOrFold<arith::BitcastOp>(location, word, a);
  const uint64_t most = width() == 32 ? 0x7FFFFFFF : 0x7FFFFFFFFFFFFFFF;
  Value flipped = flipNegative(bits);
  Value nan = arith::CmpFOp::create(builder, location, CmpF::UNO, a, a);
  return choose(nan, constant(bits, nanIsLeast ? most + 1 : most), flipped);
}

Value Scalar::fromOrderKey(Value key) {
  if (!isFloat())
    return key;
  Type shape = type;
  if (auto vector = dyn_cast<VectorType>(key.getType()))
    shape = VectorType::get(vector.getShape(), type);
  // The keys of NaNs are those of some NaN.
  return emitter.markComputed(builder.createOrFold<arith::BitcastOp>(
      location, shape, flipNegative(key)));
}

// The signed order of the results is that of the floats; its own inverse.
Value Scalar::flipNegative(Value bits) {
  Value sign = arith::ShRSIOp::create(builder, location, bits,
                                      constant(bits, width() - 1));
  Value others = arith::AndIOp::create(builder, location, sign,
                                       constant(bits, ~0ull >> (65 - width())));
  return arith::XOrIOp::create(builder, location, bits, others);
}

} // namespace gensyn::emit
