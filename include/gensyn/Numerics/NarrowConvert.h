// Widening and rounding of narrow floats; see docs/Numerics.md, convert_r1 and
// convert_r3. One description for all formats, over the Arithmetic policy: the
// reference evaluates it, and the emitter turns it into IR.

#ifndef GENSYN_NUMERICS_NARROWCONVERT_H
#define GENSYN_NUMERICS_NARROWCONVERT_H

#include "gensyn/Numerics/Arithmetic.h"
#include "gensyn/Numerics/NarrowFloat.h"
#include "gensyn/Numerics/Native.h"

#include <bit>
#include <cstdint>

namespace gensyn {

namespace detail {

/// 2^exponent as an f64; for normal numbers.
constexpr double powerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

/// The value of a finite magnitude of a format.
constexpr double magnitudeOf(const FloatFormat &format, uint32_t pattern) {
  const uint32_t mantissa = pattern & ((1u << format.mantissaBits) - 1);
  const auto exponent = static_cast<int>(pattern >> format.mantissaBits);
  const bool normal = exponent != 0 || !format.isSigned;
  return powerOfTwo((normal ? exponent : 1) - format.bias -
                    format.mantissaBits) *
         static_cast<double>(mantissa |
                             (normal ? 1u << format.mantissaBits : 0));
}

/// The constants of the wide formats that conversions need. The middles between
/// neighbours of a narrow format are exact in both.
template <class A> struct Single {
  using Real = typename A::F32;
  using Bits = typename A::I32;
  static constexpr int kMantissa = 23, kBias = 127, kWidth = 32;
  const A &a;
  Bits bits(uint64_t x) const { return a.i32(static_cast<uint32_t>(x)); }
  Real real(double x) const { return a.f32(static_cast<float>(x)); }
  typename A::I32 low(Bits x) const { return x; }
};
template <class A> struct Double {
  using Real = typename A::F64;
  using Bits = typename A::I64;
  static constexpr int kMantissa = 52, kBias = 1023, kWidth = 64;
  const A &a;
  Bits bits(uint64_t x) const { return a.i64(x); }
  Real real(double x) const { return a.f64(x); }
  typename A::I32 low(Bits x) const { return a.truncate(x); }
};

/// Rounds to a format with a sign.
template <class A, class Wide>
typename A::I32 narrowFrom(const A &a, const Wide &wide, typename Wide::Real x,
                           const FloatFormat &format, bool saturate) {
  using Bits = typename Wide::Bits;
  using Real = typename Wide::Real;
  constexpr int width = Wide::kWidth;
  const bool clamps =
      saturate || format.specials == FloatFormat::Specials::None;
  const double largest = magnitudeOf(format, format.largest());
  // The midpoint between the largest value and the next one without a range
  // limit; the even neighbour wins a tie.
  const double middle =
      largest + (largest - magnitudeOf(format, format.largest() - 1)) / 2;

  const Bits all = a.bits(x);
  Bits bits = all & wide.bits(~uint64_t{0} >> (65 - width));
  Real magnitude = a.real(bits);
  auto over = format.largest() & 1 ? magnitude >= wide.real(middle)
                                   : magnitude > wide.real(middle);
  if (clamps) {
    const Real limit = wide.real(largest);
    magnitude = a.select(magnitude > limit, limit, magnitude);
    bits = a.bits(magnitude);
  }
  // Normal results: the dropped bits round the others, and a carry out of the
  // mantissa increments the exponent, as it should.
  const int drop = Wide::kMantissa - format.mantissaBits;
  const Bits odd = (bits >> drop) & wide.bits(1);
  const Bits half = wide.bits((uint64_t{1} << (drop - 1)) - 1);
  const uint64_t rebias = static_cast<uint64_t>(Wide::kBias - format.bias)
                          << format.mantissaBits;
  Bits y = ((bits + half + odd) >> drop) - wide.bits(rebias);
  if (format.bias != Wide::kBias) {
    // Subnormal results: adding the power of two whose last place is the
    // smallest subnormal rounds to a multiple of the latter.
    const Real unit = wide.real(
        powerOfTwo(1 - format.bias - format.mantissaBits + Wide::kMantissa));
    const Bits count = a.bits(magnitude + unit) - a.bits(unit);
    const Real normal = wide.real(powerOfTwo(1 - format.bias));
    y = a.select(magnitude < normal, count, y);
  }
  typename A::I32 result = wide.low(y);
  if (!clamps && format.hasInfinity())
    result = a.select(over, a.i32(format.exponentMask()), result);
  const typename A::I32 signedResult =
      result | wide.low((all >> (width - 1)) << (format.width() - 1));
  if (format.specials == FloatFormat::Specials::MinusZero)
    result = a.select(result == a.i32(0), result, signedResult);
  else
    result = signedResult;
  const auto nan = a.isNan(x);
  return a.select(clamps || format.hasInfinity() ? nan : nan | over,
                  a.i32(format.nan()), result);
}

/// Rounds to a power of two (convert_r3).
template <class A>
typename A::I32 powerFrom(const A &a, typename A::F64 x,
                          const FloatFormat &format, Narrowing how) {
  using I64 = typename A::I64;
  using F64 = typename A::F64;
  const double least = magnitudeOf(format, 0);
  const double most = magnitudeOf(format, format.largest());
  const I64 bits = a.bits(x) & a.i64(0x7FFFFFFFFFFFFFFF);
  const F64 magnitude = a.real(bits);
  uint64_t carry = 0;
  auto under = magnitude < a.f64(least), over = magnitude >= a.f64(2 * most);
  if (how.power == PowerRounding::Nearest) {
    carry = uint64_t{1} << 51;
    under = magnitude < a.f64(least * 0.75);
    over = magnitude >= a.f64(most * 1.5);
  } else if (how.power == PowerRounding::Up) {
    carry = (uint64_t{1} << 52) - 1;
    under = magnitude <= a.f64(least / 2);
    over = magnitude > a.f64(most);
  }
  const auto exponent = static_cast<uint64_t>(1023 - format.bias);
  typename A::I32 y =
      a.truncate(((bits + a.i64(carry)) >> 52) - a.i64(exponent));
  const auto lowest = how.saturate ? a.i32(0) : a.i32(format.nan());
  const auto highest = a.i32(how.saturate ? format.largest() : format.nan());
  y = a.select(under, lowest, a.select(over, highest, y));
  const auto nan = a.isNan(x), negative = x < a.f64(0);
  return a.select(nan | negative, a.i32(format.nan()), y);
}

} // namespace detail

/// The pattern of `x` in a narrow format, zero-extended. Rounded once, to the
/// nearest, ties to even; see `Narrowing` for the rest. A NaN becomes
/// `format.nan()`.
template <class A>
typename A::I32 narrowFloat(const A &a, typename A::F32 x,
                            const FloatFormat &format, Narrowing how) {
  if (!format.isSigned)
    return detail::powerFrom(a, a.widen(x), format, how);
  return detail::narrowFrom(a, detail::Single<A>{a}, x, format, how.saturate);
}
template <class A>
typename A::I32 narrowFloat(const A &a, typename A::F64 x,
                            const FloatFormat &format, Narrowing how) {
  if (!format.isSigned)
    return detail::powerFrom(a, x, format, how);
  return detail::narrowFrom(a, detail::Double<A>{a}, x, format, how.saturate);
}

/// The value of a pattern (bits beyond the format's width are ignored), which
/// f32 can always hold; a NaN becomes the canonical f32 NaN.
template <class A>
typename A::F32 widenFloat(const A &a, typename A::I32 bits,
                           const FloatFormat &format) {
  using I32 = typename A::I32;
  using Specials = FloatFormat::Specials;
  const I32 magnitude = bits & a.i32(format.magnitudeBits());
  const I32 nan = a.i32(0x7FC00000);
  const int shift = 23 - format.mantissaBits;
  I32 y = magnitude << shift;
  if (!format.isSigned) { // powers of two; f32 has the least as a subnormal
    y = a.select(magnitude == a.i32(0), a.i32(0x00400000), y);
    return a.real(a.select(magnitude == a.i32(format.nan()), nan, y));
  }
  if (format.bias != 127) {
    // A subnormal is the normal number of the smallest exponent with the same
    // mantissa, less the implicit leading one: the difference is exact.
    const auto first = static_cast<uint32_t>(128 - format.bias) << 23;
    const I32 small =
        a.bits(a.real(y + a.i32(first)) - a.f32(std::bit_cast<float>(first)));
    const I32 normal = y + a.i32(first - (1u << 23));
    y = a.select((magnitude & a.i32(format.exponentMask())) == a.i32(0), small,
                 normal);
  }
  const I32 sign = (bits << (32 - format.width())) & a.i32(0x80000000);
  if (format.specials == Specials::Ieee) {
    const I32 infinity = a.i32(format.exponentMask());
    const auto special = (magnitude & infinity) == infinity;
    y = a.select(special, a.i32(0x7F800000), y);
    const auto isNan = magnitude != infinity;
    y = a.select(special & isNan, nan, y | sign);
  } else if (format.specials == Specials::AllOnes) {
    y = a.select(magnitude == a.i32(format.nan()), nan, y | sign);
  } else if (format.specials == Specials::MinusZero) {
    y = a.select((bits & a.i32(format.nan() | format.magnitudeBits())) ==
                     a.i32(format.nan()),
                 nan, y | sign);
  } else {
    y = y | sign;
  }
  return a.real(y);
}

/// The same on the host. Widening an f32 to f64 first gives the same result as
/// a direct conversion.
template <IsNarrowFloat Narrow> Narrow narrowTo(double x, Narrowing how = {}) {
  return {static_cast<typename Narrow::Bits>(
      narrowFloat(Native(), x, Narrow::kFormat, how))};
}
template <IsNarrowFloat Narrow> Narrow narrowTo(float x, Narrowing how = {}) {
  return {static_cast<typename Narrow::Bits>(
      narrowFloat(Native(), x, Narrow::kFormat, how))};
}
template <IsNarrowFloat Narrow> float widenNarrow(Narrow x) {
  return widenFloat(Native(), x.bits, Narrow::kFormat);
}

} // namespace gensyn

#endif // GENSYN_NUMERICS_NARROWCONVERT_H
