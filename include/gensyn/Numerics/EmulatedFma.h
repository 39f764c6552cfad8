// f64 fused multiply-add from additions and multiplications, for machines
// without it: the same bits, and no library call. For f32 see Fma.h.

#ifndef GENSYN_NUMERICS_EMULATEDFMA_H
#define GENSYN_NUMERICS_EMULATEDFMA_H

#include "gensyn/Numerics/Arithmetic.h"

namespace gensyn {

namespace detail {
template <class V> struct TwoValues {
  V high, low;
};

/// x + y = high + low exactly (Knuth).
template <class A>
TwoValues<typename A::F64> twoSum(const A &, typename A::F64 x,
                                  typename A::F64 y) {
  auto sum = x + y;
  auto fromY = sum - x;
  auto low = (x - (sum - fromY)) + (y - fromY);
  return {sum, low};
}

/// x y = high + low exactly, for products far from overflow and underflow
/// (Veltkamp, Dekker).
template <class A>
TwoValues<typename A::F64> twoProduct(const A &a, typename A::F64 x,
                                      typename A::F64 y) {
  auto upper = [&](typename A::F64 v) {
    auto t = v * a.f64(0x1p27 + 1);
    return t - (t - v);
  };
  auto product = x * y;
  auto xHigh = upper(x), yHigh = upper(y);
  auto xLow = x - xHigh, yLow = y - yHigh;
  auto rest = xHigh * yHigh - product;
  rest = rest + xHigh * yLow;
  rest = rest + xLow * yHigh;
  rest = rest + xLow * yLow;
  return {product, rest};
}

/// x + y rounded to odd: an inexact sum becomes the neighbour whose last bit is
/// 1. Rounding that again, to at least two bits fewer, equals rounding the
/// exact sum once.
template <class A>
typename A::F64 oddSum(const A &a, typename A::F64 x, typename A::F64 y) {
  auto [sum, low] = twoSum(a, x, y);
  auto bits = a.bits(sum);
  auto zero = a.f64(0);
  // The next double away from zero has bits + 1, the one towards it bits - 1.
  auto away = ((bits ^ a.bits(low)) >> 63) == a.i64(0);
  auto moved = a.select(away, bits + a.i64(1), bits - a.i64(1));
  auto below = low<zero, above = low> zero; // both false for a NaN
  auto even = (bits & a.i64(1)) == a.i64(0);
  return a.real(a.select((below | above) & even, moved, bits));
}

/// A double as m 2^e with 1 <= |m| < 2; for 0 m is +-1.
template <class A> struct Normalized {
  typename A::F64 m, e;
};
template <class A> Normalized<A> normalize(const A &a, typename A::F64 x) {
  auto subnormal = a.abs(x) < a.f64(0x1p-1022);
  auto y = a.select(subnormal, x * a.f64(0x1p54), x);
  auto biased = a.bits(a.abs(y)) >> 52;
  auto e = a.real(biased | a.i64(0x4330000000000000)) - a.f64(0x1p52 + 1023);
  e = e - a.select(subnormal, a.f64(54), a.f64(0));
  auto m = a.real((a.bits(y) & a.i64(0x800FFFFFFFFFFFFF)) |
                  a.i64(0x3FF0000000000000));
  return {m, e};
}

/// 2^e for an integral |e| < 1022.
template <class A> typename A::F64 powerOfTwo(const A &a, typename A::F64 e) {
  return a.real((a.bits(e + a.f64(0x1.8p52)) << 52) + a.bits(a.f64(1)));
}

template <class A>
typename A::F64 clampTo(const A &a, typename A::F64 x, double lo, double hi) {
  x = a.select(x < a.f64(lo), a.f64(lo), x);
  return a.select(x > a.f64(hi), a.f64(hi), x);
}
} // namespace detail

/// fma(x, y, z), valid if each of x, y, z and x y is 0 or has a magnitude
/// between 2^-900 and 2^900; any value otherwise. Sufficient for the functions,
/// at half the cost of the general version. (Boldo and Melquiond: of three
/// exact parts, the lower two are added with rounding to odd, then the upper
/// one.)
template <ElementwiseArithmetic A>
typename A::F64 emulatedFmaInRange(const A &a, typename A::F64 x,
                                   typename A::F64 y, typename A::F64 z) {
  auto u = detail::twoProduct(a, x, y);
  auto t = detail::twoSum(a, z, u.low);
  auto v = detail::twoSum(a, u.high, t.high);
  return v.high + detail::oddSum(a, t.low, v.low);
}

/// fma(x, y, z) for all inputs; a NaN result may be any NaN. About 150
/// operations.
template <ElementwiseArithmetic A>
typename A::F64 emulatedFma(const A &a, typename A::F64 x, typename A::F64 y,
                            typename A::F64 z) {
  auto zero = a.f64(0);
  // Work on significands, and scale the result at the end: x y = mx my 2^e and
  // z = mz 2^(e + d). If one term is far below the other, only its sign
  // matters, so d may be clamped to +-112 (the product has 106 bits).
  auto [mx, ex] = detail::normalize(a, x);
  auto [my, ey] = detail::normalize(a, y);
  auto [mz, ez] = detail::normalize(a, z);
  auto e = ex + ey;
  auto d = a.select(z == zero, zero, ez - e);
  auto held = detail::clampTo(a, d, -112, 112);
  auto addend = a.select(z == zero, z, mz * detail::powerOfTwo(a, held));
  // If z is far above, the scale is that of z.
  auto scale = e + a.select(d > a.f64(112), d - held, zero);

  auto u = detail::twoProduct(a, mx, my);
  auto t = detail::twoSum(a, addend, u.low);
  auto v = detail::twoSum(a, u.high, t.high);
  auto w = detail::oddSum(a, t.low, v.low);
  auto sum = v.high + w;

  // A subnormal result is a multiple of 2^-1074, which is 2^-52 of `least`
  // here. Adding that number, with the sum's sign, rounds there, once.
  auto least = detail::powerOfTwo(
      a, detail::clampTo(a, a.f64(-1022) - scale, -400, 400));
  auto anchor = a.select(sum < zero, -least, least);
  auto c = detail::twoSum(a, anchor, v.high);
  auto tiny = (c.high + detail::oddSum(a, c.low, w)) - anchor;
  // A sum that rounds to zero keeps its sign.
  tiny = a.real(a.bits(tiny) | (a.bits(sum) & a.i64(0x8000000000000000)));
  sum = a.select(a.abs(sum) < least, tiny, sum);

  // In two steps: 2^scale may be out of range although the result is not. Both
  // are exact, or overflow.
  scale = detail::clampTo(a, scale, -1300, 1300);
  auto first = detail::clampTo(a, scale, -650, 650);
  auto result =
      sum * detail::powerOfTwo(a, first) * detail::powerOfTwo(a, scale - first);

  // With infinities, NaNs and zero products two operations suffice, except that
  // a finite product may overflow and meet an infinite z.
  auto largest = a.f64(0x1.fffffffffffffp1023);
  auto finiteX = a.abs(x) <= largest, finiteY = a.abs(y) <= largest;
  auto finiteZ = a.abs(z) <= largest;
  auto someX = x != zero, someY = y != zero;
  auto usual = finiteX & finiteY & finiteZ & someX & someY;
  auto infiniteZ = finiteX & finiteY & !finiteZ;
  auto other = a.select(infiniteZ, z, x * y + z);
  return a.select(usual, result, other);
}

} // namespace gensyn

#endif // GENSYN_NUMERICS_EMULATEDFMA_H
