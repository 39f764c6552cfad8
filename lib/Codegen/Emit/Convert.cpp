// Conversions between element types as IR; see gensyn/Numerics/Convert.h.
// Narrow floats follow NarrowConvert.h.

#include "gensyn/Codegen/Emit/Arithmetic.h"
#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Codegen/Emit/Tables.h"
#include "gensyn/Numerics/Dispatch.h"
#include "gensyn/Numerics/NarrowConvert.h"

#include <algorithm>
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

/// The layout of bit patterns of a storage-only type.
Type patternType(Type narrow) {
  return IntegerType::get(
      narrow.getContext(),
      8 * static_cast<unsigned>(byteWidth(*repro::getElementType(narrow))));
}

FloatFormat formatOf(Type narrow) {
  return dispatch(*repro::getElementType(narrow), [](auto tag) -> FloatFormat {
    using T = typename decltype(tag)::type;
    if constexpr (IsNarrowFloat<T>)
      return T::kFormat;
    else
      llvm_unreachable("no narrow float");
  });
}
} // namespace

Type Scalar::wideType() const {
  if (isFloat())
    return builder.getF32Type();
  return builder.getIntegerType(8, !type.isUnsignedInteger());
}

// Emits widenNarrow, and NarrowInteger::value.
Value Scalar::widen(Value pattern) {
  if (isFloat()) {
    Emit emit(emitter, pattern.getType());
    Value bits = builder.createOrFold<arith::ExtUIOp>(
        location, emit.shaped(builder.getI32Type()), pattern);
    return widenFloat(emit, Emit::I32{&builder, bits}, formatOf(type)).value;
  }
  return widenIn(pattern, 8);
}

Value Scalar::widenIn(Value pattern, unsigned held) {
  if (isUnsigned())
    return builder.createOrFold<arith::AndIOp>(
        location, pattern, constant(pattern, (1u << width()) - 1));
  Value shift = constant(pattern, held - width());
  return builder.createOrFold<arith::ShRSIOp>(
      location, builder.createOrFold<arith::ShLIOp>(location, pattern, shift),
      shift);
}

// Emits narrowTo.
Value Scalar::narrowTo(Value real, Type narrow, Narrowing how) {
  Emit emit(emitter, real.getType());
  const FloatFormat format = formatOf(narrow);
  Emit::I32 pattern =
      getElementTypeOrSelf(real.getType()).isF32()
          ? narrowFloat(emit, Emit::F32{&builder, real}, format, how)
          : narrowFloat(emit, Emit::F64{&builder, real}, format, how);
  return builder.createOrFold<arith::TruncIOp>(
      location, emit.shaped(patternType(narrow)), pattern.value);
}

Value Scalar::bitcast(Value a, Type to) {
  a = emitter.canonical(a); // the value leaves arithmetic
  const bool isPattern = isStorageOnly(*repro::getElementType(to));
  if (auto integer = dyn_cast<IntegerType>(to))
    to = builder.getIntegerType(integer.getWidth());
  Type shape = likeLanes(a, isPattern ? patternType(to) : to);
  return builder.createOrFold<arith::BitcastOp>(location, shape, a);
}

/// Returns the f32, or the i32, of each pattern of a type of at most 4 bits.
static SmallVector<uint32_t> valuesOf(Type narrow, bool asReal) {
  constexpr int patterns = 16;
  return dispatch(*repro::getElementType(narrow), [asReal](auto tag) {
    using T = typename decltype(tag)::type;
    SmallVector<uint32_t> values;
    for (int pattern = 0; pattern < patterns; ++pattern) {
      float value = 0;
      const auto bits = static_cast<uint8_t>(pattern);
      if constexpr (IsNarrowFloat<T>)
        value = widenNarrow(T{bits});
      else if constexpr (IsNarrowInteger<T>)
        value = T{bits}.value();
      values.push_back(asReal ? std::bit_cast<uint32_t>(value)
                              : static_cast<uint32_t>(int32_t(value)));
    }
    return values;
  });
}

/// Returns the 32-bit lanes that narrow patterns were taken from, which have
/// their bits as the lowest ones; null if there are none.
static Value findLanes(Value pattern, unsigned bits) {
  auto taken = pattern.getDefiningOp<arith::TruncIOp>();
  if (!taken || !isa<VectorType>(pattern.getType()) ||
      !getElementTypeOrSelf(taken.getIn().getType()).isInteger(32))
    return {};
  auto masked = taken.getIn().getDefiningOp<arith::AndIOp>();
  DenseElementsAttr mask;
  if (masked && matchPattern(masked.getRhs(), m_Constant(&mask)) &&
      mask.isSplat() && mask.getSplatValue<APInt>().countTrailingOnes() >= bits)
    return masked.getLhs();
  return taken.getIn();
}

Value Scalar::lookUpWord(Value pattern, Type to) {
  constexpr unsigned mostBits = 4;
  if (!to.isF32() && (isFloat() || !to.isInteger(32)))
    return {};
  auto vector = dyn_cast<VectorType>(pattern.getType());
  if (width() > mostBits || !vector)
    return {};
  const machine::TableLookup *lookup =
      findTableLookup(builder, 32, 1 << mostBits, vector.getNumElements());
  if (!lookup)
    return {};
  // Lookups take numbers modulo 16.
  Value number = findLanes(pattern, mostBits);
  if (!number)
    number = arith::ExtUIOp::create(
        builder, location, likeLanes(pattern, builder.getI32Type()), pattern);
  Value bits = lookUp(builder, location, *lookup,
                      ArrayRef<uint32_t>(valuesOf(type, to.isF32())), number);
  if (!to.isF32())
    return bits;
  return emitter.markComputed(arith::BitcastOp::create(
      builder, location, likeLanes(pattern, to), bits));
}

Value Scalar::canonicalCopy(Value a) {
  constexpr uint64_t nan32 = 0x7FC00000, nan64 = 0x7FF8000000000000;
  Value nan = constant(a, width() == 32 ? nan32 : nan64);
  Value isNan = arith::CmpFOp::create(builder, location, CmpF::UNO, a, a);
  return arith::SelectOp::create(builder, location, isNan, nan, a);
}

Value Scalar::convert(Value a, Type to, Narrowing how) {
  if (isNarrow()) {
    if (Value word = lookUpWord(a, to))
      return word;
    if (Value lanes = isFloat() ? Value() : findLanes(a, width()))
      return Scalar(emitter, builder.getIntegerType(32, /*isSigned=*/true))
          .convert(widenIn(lanes, 32), to, how);
    return Scalar(emitter, wideType()).convert(widen(a), to, how);
  }
  if (to.isInteger(1)) {
    if (isFloat())
      return arith::CmpFOp::create(builder, location, CmpF::UNE, a,
                                   constant(a, 0));
    return arith::CmpIOp::create(builder, location, CmpI::ne, a,
                                 constant(a, 0));
  }
  if (auto integer = dyn_cast<IntegerType>(to))
    return isFloat() ? toInteger(a, integer) : resize(a, integer);
  if (!to.isF32() && !to.isF64())
    return narrowTo(isFloat() ? a : oddDouble(a), to, how);
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

// Modulo 2^width; the upper bits of a pattern are 0.
Value Scalar::resize(Value integer, IntegerType to) {
  const unsigned bits = to.getWidth(), held = std::max(8u, bits);
  Type shape = likeLanes(integer, builder.getIntegerType(held));
  if (held < width())
    integer = arith::TruncIOp::create(builder, location, shape, integer);
  else if (held > width())
    integer =
        isUnsigned()
            ? Value(arith::ExtUIOp::create(builder, location, shape, integer))
            : Value(arith::ExtSIOp::create(builder, location, shape, integer));
  if (bits == held)
    return integer;
  return builder.createOrFold<arith::AndIOp>(
      location, integer, constant(integer, (1u << bits) - 1));
}

// Emits scalar::detail::toInteger. LLVM's conversion of an out-of-range float
// is undefined, so it converts 0 instead, and the result is selected.
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
        builder, location,
        likeLanes(real, builder.getIntegerType(std::max(8u, bits))), y);
  const uint64_t most = ~0ull >> (64 - (bits - isSigned));
  y = choose(high, constant(y, most), y);
  y = choose(low, constant(y, isSigned ? most + 1 : 0), y);
  if (bits >= 8)
    return y;
  return builder.createOrFold<arith::AndIOp>(
      location, y, constant(y, (uint64_t{1} << bits) - 1));
}

// Emits scalar::detail::oddDouble; an f32 if that holds all values.
Value Scalar::oddDouble(Value integer) {
  Type f64 = likeLanes(integer, builder.getF64Type());
  if (width() < 64) {
    Type wide = width() <= 16 ? likeLanes(integer, builder.getF32Type()) : f64;
    if (isUnsigned())
      return arith::UIToFPOp::create(builder, location, wide, integer);
    return arith::SIToFPOp::create(builder, location, wide, integer);
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

} // namespace gensyn::emit
