// round and the floating-point remainder as IR.

#include "gensyn/Codegen/Emit/Arithmetic.h"
#include "gensyn/Codegen/Emit/Scalar.h"

using namespace mlir;

namespace gensyn::emit {

using CmpI = arith::CmpIPredicate;
using CmpF = arith::CmpFPredicate;

// Like scalar::round: the integral part of the magnitude through an integer,
// incremented if the mode requires it, with the sign restored.
Value Scalar::round(Value x, repro::RoundKind kind) {
  Emit emit(emitter, x.getType());
  const bool single = width() == 32;
  Type wordType = emit.shaped(builder.getIntegerType(width()));
  auto real = [&](uint64_t f32Bits, uint64_t f64Bits) {
    return constant(x, single ? f32Bits : f64Bits);
  };
  const uint64_t signBit = single ? 0x80000000 : 0x8000000000000000;
  Value bits = builder.createOrFold<arith::BitcastOp>(location, wordType, x);
  Value sign =
      arith::AndIOp::create(builder, location, bits, constant(bits, signBit));
  Value magnitude = arith::BitcastOp::create(
      builder, location, x.getType(),
      arith::XOrIOp::create(builder, location, bits, sign));
  Value fractional =
      arith::CmpFOp::create(builder, location, CmpF::OLT, magnitude,
                            real(0x4B000000, 0x4330000000000000)); // 2^23, 2^52
  // Converting a large value or a NaN would be undefined.
  Value safe = choose(fractional, magnitude, real(0, 0));
  Value integer = arith::FPToSIOp::create(builder, location, wordType, safe);
  Value whole =
      arith::SIToFPOp::create(builder, location, x.getType(), integer);
  Value rest = arith::SubFOp::create(builder, location, safe, whole);
  Value half = real(0x3F000000, 0x3FE0000000000000);
  auto compared = [&](CmpF how, Value a, Value b) -> Value {
    return arith::CmpFOp::create(builder, location, how, a, b);
  };
  auto hasSign = [&](CmpI how) -> Value {
    return arith::CmpIOp::create(builder, location, how, sign,
                                 constant(bits, 0));
  };
  Value up;
  switch (kind) {
  case repro::RoundKind::Trunc:
    break;
  case repro::RoundKind::Floor:
  case repro::RoundKind::Ceil:
    up = arith::AndIOp::create(
        builder, location, compared(CmpF::OGT, rest, real(0, 0)),
        hasSign(kind == repro::RoundKind::Floor ? CmpI::ne : CmpI::eq));
    break;
  case repro::RoundKind::Even: {
    Value odd = arith::CmpIOp::create(
        builder, location, CmpI::ne,
        arith::AndIOp::create(builder, location, integer, constant(integer, 1)),
        constant(integer, 0));
    Value tie = arith::AndIOp::create(builder, location,
                                      compared(CmpF::OEQ, rest, half), odd);
    up = arith::OrIOp::create(builder, location,
                              compared(CmpF::OGT, rest, half), tie);
    break;
  }
  }
  if (up) {
    Value one = real(0x3F800000, 0x3FF0000000000000);
    whole = arith::AddFOp::create(builder, location, whole,
                                  choose(up, one, real(0, 0)));
  }
  Value rounded = arith::OrIOp::create(
      builder, location,
      arith::BitcastOp::create(builder, location, wordType, whole), sign);
  Value y = arith::BitcastOp::create(builder, location, x.getType(), rounded);
  return emitter.markComputed(choose(fractional, y, x));
}

// C's fmod by shift and subtract on the significands, in f64. (An f32 result is
// a multiple of an f32 ulp, so it is exact in f32.) The number of steps is the
// difference of the exponents.
Value Scalar::fmod(Value a, Value b) {
  if (auto vector = dyn_cast<VectorType>(a.getType())) {
    Value result = constant(a, 0);
    for (int64_t lane = 0; lane < vector.getNumElements(); ++lane) {
      Value x = vector::ExtractOp::create(builder, location, a, lane);
      Value y = vector::ExtractOp::create(builder, location, b, lane);
      result =
          vector::InsertOp::create(builder, location, fmod(x, y), result, lane);
    }
    return emitter.markComputed(result);
  }
  Emit emit(emitter, a.getType());
  const bool single = width() == 32;
  auto wide = [&](Value x) {
    return single ? emit.widen({&builder, x}) : Emit::F64{&builder, x};
  };
  Emit::F64 x = wide(a), y = wide(b);
  const Emit::I64 fraction = emit.i64(0xFFFFFFFFFFFFF);
  const Emit::I64 zero = emit.i64(0), one = emit.i64(1);
  auto exponent = [&](Emit::F64 v) { // of the last place, and at least 1
    Emit::I64 field = (emit.bits(v) >> 52) & emit.i64(0x7FF);
    return emit.select(field == zero, one, field);
  };
  auto significand = [&](Emit::F64 v) {
    Emit::I64 field = (emit.bits(v) >> 52) & emit.i64(0x7FF);
    Emit::I64 hidden = emit.select(field == zero, zero, one) << 52;
    return (emit.bits(v) & fraction) | hidden;
  };
  // Zero and infinite operands are handled at the end; here they only must not
  // trap.
  Emit::I64 divisor = significand(y);
  divisor = emit.select(divisor == zero, one, divisor);
  Emit::I64 scale = exponent(y), steps = exponent(x) - scale;
  Value count =
      arith::MaxSIOp::create(builder, location, steps.value, zero.value);
  Value trips = arith::IndexCastOp::create(builder, location,
                                           builder.getIndexType(), count);
  Value first = arith::RemUIOp::create(builder, location, significand(x).value,
                                       divisor.value);
  Emit::I64 rest = emit.loop(
      emit.index(0), Emit::Index{&builder, trips}, emit.index(1),
      Emit::I64{&builder, first}, [&](Emit::Index, Emit::I64 r) {
        r = r + r;
        Value fits = arith::CmpIOp::create(builder, location, CmpI::uge,
                                           r.value, divisor.value);
        return emit.select(Emit::Mask{&builder, fits}, r - divisor, r);
      });
  // rest 2^(scale - 1075), exact in both steps.
  Value real = arith::UIToFPOp::create(builder, location, builder.getF64Type(),
                                       rest.value);
  Emit::F64 result =
      Emit::F64{&builder, real} * emit.f64(0x1p-52) * emit.real(scale << 52);
  result = emit.real(emit.bits(result) |
                     (emit.bits(x) & emit.i64(0x8000000000000000)));
  result = emit.select(emit.abs(x) < emit.abs(y), x, result);
  Emit::F64 infinity = emit.f64(__builtin_inf());
  Emit::Mask invalid = emit.isNan(x) | emit.isNan(y) |
                       (emit.abs(x) == infinity) | (y == emit.f64(0));
  result =
      emit.select(invalid, emit.real(emit.i64(0x7FF8000000000000)), result);
  return emitter.markComputed(single ? emit.narrow(result).value
                                     : result.value);
}

} // namespace gensyn::emit
