// Conversions between element types as IR; see gensyn/Numerics/Convert.h.

#include "gensyn/Codegen/Emit/Arithmetic.h"
#include "gensyn/Codegen/Emit/Scalar.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace gensyn::emit {

using CmpI = arith::CmpIPredicate;
using CmpF = arith::CmpFPredicate;

namespace {
Type likeLanes(Value like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    return VectorType::get(vector.getShape(), element);
  return element;
}
} // namespace

Value Scalar::convert(Value a, Type to) {
  if (isNarrow())
    return Scalar(emitter, builder.getF32Type()).convert(widenNarrow(a), to);
  if (to.isInteger(1)) {
    if (isFloat())
      return arith::CmpFOp::create(builder, location, CmpF::UNE, a,
                                   constant(a, 0));
    return arith::CmpIOp::create(builder, location, CmpI::ne, a,
                                 constant(a, 0));
  }
  if (to.isF16() || to.isBF16()) {
    if (!isFloat())
      return narrowTo(oddDouble(a), to);
    Type f64 = likeLanes(a, builder.getF64Type());
    return narrowTo(
        width() == 64 ? a : arith::ExtFOp::create(builder, location, f64, a),
        to);
  }
  if (auto integer = dyn_cast<IntegerType>(to)) {
    if (isFloat())
      return toInteger(a, integer);
    Type shape = likeLanes(a, builder.getIntegerType(integer.getWidth()));
    if (integer.getWidth() < width())
      return arith::TruncIOp::create(builder, location, shape, a);
    if (integer.getWidth() == width())
      return a;
    if (isUnsigned())
      return arith::ExtUIOp::create(builder, location, shape, a);
    return arith::ExtSIOp::create(builder, location, shape, a);
  }
  Type shape = likeLanes(a, to);
  if (!isFloat()) {
    if (isUnsigned())
      return arith::UIToFPOp::create(builder, location, shape, a);
    return arith::SIToFPOp::create(builder, location, shape, a);
  }
  if (to.getIntOrFloatBitWidth() > width())
    return emitter.markComputed(
        arith::ExtFOp::create(builder, location, shape, a));
  if (to.getIntOrFloatBitWidth() < width())
    return emitter.markComputed(
        arith::TruncFOp::create(builder, location, shape, a));
  return emitter.markComputed(a);
}

// scalar::detail::toInteger: out of range, a float's conversion is undefined in
// LLVM, so it gets 0 there and the result is chosen.
Value Scalar::toInteger(Value real, IntegerType to) {
  if (width() == 32)
    real = arith::ExtFOp::create(builder, location,
                                 likeLanes(real, builder.getF64Type()), real);
  const bool isSigned = !to.isUnsigned();
  const unsigned bits = to.getWidth();
  const double above = std::ldexp(1.0, static_cast<int>(bits - isSigned));
  const double below = isSigned ? -above : -1.0;
  auto number = [&](double x) {
    return constant(real, std::bit_cast<uint64_t>(x));
  };
  auto compared = [&](CmpF how, double x) -> Value {
    return arith::CmpFOp::create(builder, location, how, real, number(x));
  };
  Value high = compared(CmpF::OGE, above), low = compared(CmpF::OLE, below);
  Value nan = arith::CmpFOp::create(builder, location, CmpF::UNO, real, real);
  Value outside =
      arith::OrIOp::create(builder, location, nan,
                           arith::OrIOp::create(builder, location, high, low));
  Value safe = choose(outside, number(0), real);
  Type i64 = likeLanes(real, builder.getI64Type());
  Value y =
      bits == 64 && !isSigned
          ? arith::FPToUIOp::create(builder, location, i64, safe).getResult()
          : arith::FPToSIOp::create(builder, location, i64, safe).getResult();
  if (bits < 64)
    y = arith::TruncIOp::create(
        builder, location, likeLanes(real, builder.getIntegerType(bits)), y);
  const uint64_t most = ~0ull >> (64 - (bits - isSigned));
  y = choose(high, constant(y, most), y);
  return choose(low, constant(y, isSigned ? most + 1 : 0), y);
}

// scalar::detail::oddDouble.
Value Scalar::oddDouble(Value integer) {
  Type f64 = likeLanes(integer, builder.getF64Type());
  if (width() < 64) { // f64 holds them all
    if (isUnsigned())
      return arith::UIToFPOp::create(builder, location, f64, integer);
    return arith::SIToFPOp::create(builder, location, f64, integer);
  }
  Value zero = constant(integer, 0), magnitude = integer, negative;
  if (!isUnsigned()) {
    negative =
        arith::CmpIOp::create(builder, location, CmpI::slt, integer, zero);
    magnitude = choose(negative,
                       arith::SubIOp::create(builder, location, zero, integer),
                       integer);
  }
  Value lost = arith::AndIOp::create(builder, location, magnitude,
                                     constant(integer, 0x7FF));
  Value sticky =
      choose(arith::CmpIOp::create(builder, location, CmpI::ne, lost, zero),
             constant(integer, 0x800), zero);
  Value odd =
      arith::OrIOp::create(builder, location,
                           arith::AndIOp::create(builder, location, magnitude,
                                                 constant(integer, ~0x7FFull)),
                           sticky);
  Value large = arith::CmpIOp::create(builder, location, CmpI::uge, magnitude,
                                      constant(integer, 1ull << 53));
  Value y = arith::UIToFPOp::create(builder, location, f64,
                                    choose(large, odd, magnitude));
  if (!negative)
    return y;
  return choose(negative, arith::NegFOp::create(builder, location, y), y);
}

namespace {
/// The shape of a narrow float, as its struct in Numerics has it.
struct Narrow {
  int mantissa, bias;
  uint64_t infinity, nan;
};
Narrow describe(Type type) {
  if (type.isF16())
    return {F16::kMantissaBits, 15, 0x7C00, F16::kNan};
  return {BF16::kMantissaBits, 127, 0x7F80, BF16::kNan};
}
} // namespace

// narrowTo of NarrowFloat.h. A shift amount held below 64 does for its early
// return: there everything that is kept is then zero.
Value Scalar::narrowTo(Value f64, Type narrow) {
  const Narrow n = describe(narrow);
  Emit emit(emitter, f64.getType());
  auto make = [&](Value v) { return Emit::I64{&builder, v}; };
  auto number = [&](int64_t x) { return emit.i64(static_cast<uint64_t>(x)); };
  Emit::I64 bits = emit.bits(Emit::F64{&builder, f64});
  Emit::I64 sign = (bits >> 63) << 15;
  Emit::I64 magnitude = bits & emit.i64(0x7FFFFFFFFFFFFFFF);
  Emit::I64 exponent = (magnitude >> 52) - number(1023);
  auto compared = [&](CmpI how, Emit::I64 a, Emit::I64 b) {
    return Emit::Mask{&builder, arith::CmpIOp::create(builder, location, how,
                                                      a.value, b.value)};
  };
  Emit::Mask subnormal = compared(CmpI::slt, exponent, number(1 - n.bias));
  Emit::I64 drop =
      number(52 - n.mantissa) +
      emit.select(subnormal, number(1 - n.bias) - exponent, number(0));
  drop = emit.select(compared(CmpI::sgt, drop, number(63)), number(63), drop);
  Emit::I64 significand =
      (magnitude & emit.i64(0xFFFFFFFFFFFFF)) | emit.i64(1ull << 52);
  Emit::I64 kept = make(
      arith::ShRUIOp::create(builder, location, significand.value, drop.value));
  Emit::I64 unit = make(
      arith::ShLIOp::create(builder, location, number(1).value, drop.value));
  Emit::I64 rest = significand & (unit - number(1)), half = unit >> 1;
  Emit::Mask odd = (kept & number(1)) != number(0);
  Emit::Mask up = compared(CmpI::ugt, rest, half) | ((rest == half) & odd);
  Emit::I64 base = emit.select(subnormal, number(0),
                               (exponent + number(n.bias - 1)) << n.mantissa);
  Emit::I64 y = base + kept + emit.select(up, number(1), number(0));
  y = emit.select(compared(CmpI::sgt, exponent, number(n.bias)),
                  emit.i64(n.infinity), y);
  y = y | sign;
  Emit::Mask isNan =
      compared(CmpI::ugt, magnitude, emit.i64(0x7FF0000000000000));
  y = emit.select(isNan, emit.i64(n.nan), y);
  return arith::TruncIOp::create(builder, location,
                                 emit.shaped(builder.getI16Type()), y.value);
}

// widenNarrow of NarrowFloat.h.
Value Scalar::widenNarrow(Value pattern) {
  const Narrow n = describe(type);
  Emit emit(emitter, pattern.getType());
  Emit::I32 bits{&builder, arith::ExtUIOp::create(
                               builder, location,
                               emit.shaped(builder.getI32Type()), pattern)};
  auto above = [&](Emit::I32 a, uint64_t b) {
    return Emit::Mask{&builder, arith::CmpIOp::create(
                                    builder, location, CmpI::ugt, a.value,
                                    emit.i32(static_cast<uint32_t>(b)).value)};
  };
  Emit::I32 sign = (bits >> 15) << 31, magnitude = bits & emit.i32(0x7FFF);
  Emit::I32 shifted = magnitude << (23 - n.mantissa);
  Emit::I32 y = shifted + emit.i32(static_cast<uint32_t>(127 - n.bias) << 23);
  if (n.bias != 127) { // f16's subnormals: an integer times a power of two
    Value integer = arith::UIToFPOp::create(
        builder, location, emit.shaped(builder.getF32Type()), magnitude.value);
    Emit::F32 value = Emit::F32{&builder, integer} * emit.f32(0x1p-24f);
    Emit::Mask subnormal = (magnitude >> n.mantissa) == emit.i32(0);
    y = emit.select(subnormal, emit.bits(value), y);
  }
  y = emit.select(magnitude == emit.i32(static_cast<uint32_t>(n.infinity)),
                  emit.i32(0x7F800000), y) |
      sign;
  y = emit.select(above(magnitude, n.infinity), emit.i32(0x7FC00000), y);
  return emit.real(y).value;
}

} // namespace gensyn::emit
