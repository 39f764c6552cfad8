// Random numbers of a distribution as functions of random words, without state,
// loop or rejection: elements are independent. See docs/Numerics.md, random_r2
// to random_r5.

#ifndef GENSYN_NUMERICS_DISTRIBUTIONS_H
#define GENSYN_NUMERICS_DISTRIBUTIONS_H

#include "gensyn/Numerics/Functions.h"

#include <cmath>
#include <cstdint>

namespace gensyn::random {

/// The f32 nearest to a word read as unsigned, ties to even.
template <ElementwiseArithmetic A>
typename A::F32 fromWord(const A &a, typename A::I32 word) {
  // The word goes below the leading bit of 2^52, where the difference is exact.
  auto whole = a.real(a.extend(word) | a.i64(0x4330000000000000));
  return a.narrow(whole - a.f64(0x1p52));
}

/// random_r2: (word >> 8) 2^-24, in [0, 1).
template <ElementwiseArithmetic A>
typename A::F32 uniform(const A &a, typename A::I32 word) {
  return fromWord(a, word >> 8) * a.f32(0x1p-24f);
}

/// random_r3: the number of 32-bit words that yield true for the probability p:
/// p 2^32 rounded to the nearest integer, ties to even; 0 for a NaN.
inline uint64_t bernoulliThreshold(double p) {
  if (!(p > 0))
    return 0;
  return p >= 1 ? uint64_t{1} << 32 : static_cast<uint64_t>(rint(p * 0x1p32));
}

/// random_r3: true if word < threshold, for a threshold up to 2^32.
template <ElementwiseArithmetic A>
typename A::Mask bernoulli(const A &a, typename A::I32 word,
                           typename A::I64 threshold) {
  auto isBelow = (a.extend(word) - threshold) >> 63;
  return isBelow != a.i64(0);
}

/// random_r4: standard normal by Box and Muller, from two words: one gives the
/// radius, the other the angle in [0, pi].
template <ElementwiseArithmetic A>
typename A::F32 normal(const A &a, typename A::I32 first,
                       typename A::I32 second) {
  auto u = fromWord(a, first | a.i32(1)) * a.f32(0x1p-32f);
  auto radius = a.sqrt(functions::log(a, u) * a.f32(-2));
  // The f32 nearest to pi, times 2^-32.
  auto angle = fromWord(a, second) * a.f32(0x1.921fb6p-31f);
  return radius * functions::cos(a, angle);
}

/// M. Giles, "Approximating the erfinv function", GPU Computing Gems (2011):
/// polynomials of the single-precision version, highest power first.
inline constexpr float kErfinvCentral[9] = {
    2.81022636e-08f,  3.43273939e-07f, -3.5233877e-06f,
    -4.39150654e-06f, 0.00021858087f,  -0.00125372503f,
    -0.00417768164f,  0.246640727f,    1.50140941f};
inline constexpr float kErfinvTail[9] = {
    -0.000200214257f, 0.000100950558f, 0.00134934322f,
    -0.00367342844f,  0.00573950773f,  -0.0076224613f,
    0.00943887047f,   1.00167406f,     2.83297682f};

/// random_r5: the inverse of erf for |x| < 1. Not correctly rounded: these f32
/// operations define the result. The relative error is below 3e-7.
template <ElementwiseArithmetic A>
typename A::F32 erfinv(const A &a, typename A::F32 x) {
  const auto one = a.f32(1);
  auto w = -functions::log(a, (one - x) * (one + x));
  auto isCentral = w < a.f32(5);
  auto v = a.select(isCentral, w - a.f32(2.5f), a.sqrt(w) - a.f32(3));
  auto p = a.select(isCentral, a.f32(kErfinvCentral[0]), a.f32(kErfinvTail[0]));
  for (int i = 1; i < 9; ++i)
    p = a.fma(
        p, v,
        a.select(isCentral, a.f32(kErfinvCentral[i]), a.f32(kErfinvTail[i])));
  return p * x;
}

/// random_r5: standard normal truncated to [low, high], low < high. `erfLow`
/// and `erfHigh` are erf(low / sqrt 2) and erf(high / sqrt 2).
template <ElementwiseArithmetic A>
typename A::F32 truncatedNormal(const A &a, typename A::I32 word,
                                typename A::F32 low, typename A::F32 high,
                                typename A::F32 erfLow,
                                typename A::F32 erfHigh) {
  // An odd multiple of 2^-24, so that it is never 0 or 1.
  auto u = fromWord(a, ((word >> 9) << 1) | a.i32(1)) * a.f32(0x1p-24f);
  auto x = a.fma(u, erfHigh - erfLow, erfLow);
  x = functions::clamp(a, x, -0x1.fffffep-1f, 0x1.fffffep-1f);
  auto z = erfinv(a, x) * a.f32(0x1.6a09e6p+0f); // the f32 next to sqrt 2
  z = a.select(z < low, low, z);
  return a.select(z > high, high, z);
}

} // namespace gensyn::random

#endif // GENSYN_NUMERICS_DISTRIBUTIONS_H
