// asin, acos, atan of pairs of f32.

#ifndef GENSYN_NUMERICS_FUNCTIONS_PAIRARCTRIG_H
#define GENSYN_NUMERICS_FUNCTIONS_PAIRARCTRIG_H

#include "gensyn/Numerics/Functions/Pair.h"

namespace gensyn::functions::pair {

/// atan(r) = r + r r^2 (c[0] + r^2 (c[1] + ...)), |r| <= tan(pi/8); relative
/// error 2^-44.9. The first three are pairs. (A minimax fit as in PairExp.h.)
inline constexpr PairConstant kAtanPairs[] = {
    {-0x1.555556p-2f, 0x1.55e8c4p-27f},
    {0x1.99999ap-3f, -0x1.a90018p-28f},
    {-0x1.24922cp-3f, -0x1.ea352ep-28f}};
inline constexpr float kAtanNext = 0x1.c7156ep-4f;
inline constexpr float kAtanTail[] = {-0x1.73e086p-4f, 0x1.35f94ap-4f,
                                      -0x1.e25524p-5f, 0x1.f95a0ap-6f};

/// asin(r) = r + r r^2 (c[0] + r^2 (c[1] + ...)), |r| <= 1/2; relative error
/// 2^-43.8. The first three are pairs. (A minimax fit as in PairExp.h.)
inline constexpr PairConstant kAsinPairs[] = {
    {0x1.555556p-3f, -0x1.534a06p-28f},
    {0x1.333332p-4f, -0x1.baa576p-33f},
    {0x1.6db762p-5f, 0x1.8fb854p-30f}};
inline constexpr float kAsinNext = 0x1.f1ab4p-6f;
inline constexpr float kAsinTail[] = {0x1.702816p-6f, 0x1.0e101cp-6f,
                                      0x1.30e004p-6f, -0x1.706246p-9f,
                                      0x1.057684p-5f};

/// pi/2.
template <ElementwiseArithmetic A> Pair<A> halfPi(const A &a) {
  return {a.f32(0x1.921fb6p0f), a.f32(-0x1.777a5cp-25f)};
}

/// r + r r^2 P(r^2), for the polynomials of this file.
template <ElementwiseArithmetic A, size_t N>
Pair<A> arcSum(const A &a, Pair<A> r, Pair<A> r2, const PairConstant (&c)[3],
               float next, const float (&tail)[N]) {
  auto q = fastSum(a, a.f32(next), r2.h * horner(a, r2.h, tail));
  for (size_t i = 3; i-- > 0;)
    q = plus(a, c[i], times(a, q, r2));
  return plus(a, r, times(a, times(a, q, r2), r));
}

/// As in ArcTrig.h.
template <ElementwiseArithmetic A> struct PairArcSine {
  typename A::Mask outer;
  Pair<A> y;
};

/// For 0 <= z < 1; for z = 1 it is a NaN, which is unsure.
template <ElementwiseArithmetic A>
PairArcSine<A> pairArcSine(const A &a, typename A::F32 z) {
  auto outer = z > a.f32(0.5f);
  auto half = a.fma(z, a.f32(-0.5f), a.f32(0.5f)); // exact where it is used
  auto root = a.sqrt(half);
  auto rest = a.fma(-root, root, half) / (root + root);
  auto z2 = z * z;
  Pair<A> r{a.select(outer, root, z), a.select(outer, rest, a.f32(0))};
  Pair<A> r2{a.select(outer, half, z2),
             a.select(outer, a.f32(0), a.fma(z, z, -z2))};
  return {outer, arcSum(a, r, r2, kAsinPairs, kAsinNext, kAsinTail)};
}

/// asin(x).
template <ElementwiseArithmetic A>
Attempt<A> asin(const A &a, typename A::F32 x) {
  auto [outer, y] = pairArcSine(a, a.abs(x));
  auto end = plus(a, halfPi(a), Pair<A>{a.f32(-2) * y.h, a.f32(-2) * y.l});
  Pair<A> w{a.select(outer, end.h, y.h), a.select(outer, end.l, y.l)};
  auto [rounded, unsure] = settleRelative(a, w, 0x1p-37f);
  return {withSign(a, rounded, x), unsure};
}

/// acos(x): with s the sign of x, pi/2 - s y inside, 2 y or pi - 2 y outside.
template <ElementwiseArithmetic A>
Attempt<A> acos(const A &a, typename A::F32 x) {
  auto [outer, y] = pairArcSine(a, a.abs(x));
  auto negative = x < a.f32(0);
  auto factor = a.select(outer, a.f32(2), a.f32(-1));
  factor = a.select(negative, -factor, factor);
  auto share =
      a.select(outer, a.select(negative, a.f32(2), a.f32(0)), a.f32(1));
  auto h = halfPi(a);
  auto w = plus(a, Pair<A>{share * h.h, share * h.l},
                Pair<A>{factor * y.h, factor * y.l});
  return settleRelative(a, w, 0x1p-37f);
}

/// atan(x), by atan(z) = base + atan(n / d) as in ArcTrig.h.
template <ElementwiseArithmetic A>
Attempt<A> atan(const A &a, typename A::F32 x) {
  auto z = clampedMagnitude(a, x, 0x1p30f);
  auto one = a.f32(1), zero = a.f32(0);
  auto low = z <= a.f32(0x1.a8279ap-2f), high = z >= a.f32(0x1.3504f4p1f);
  auto less = sum(a, z, -one), more = sum(a, z, one);
  auto pick = [&](typename A::F32 ofLow, typename A::F32 ofHigh,
                  typename A::F32 between) {
    return a.select(low, ofLow, a.select(high, ofHigh, between));
  };
  Pair<A> n{pick(z, -one, less.h), pick(zero, zero, less.l)};
  Pair<A> d{pick(one, z, more.h), pick(zero, zero, more.l)};
  // pi/2 or pi/4.
  auto share = pick(zero, one, a.f32(0.5f));
  auto h = halfPi(a);
  Pair<A> base{share * h.h, share * h.l};
  auto r = quotient(a, n, d), r2 = square(a, r);
  auto y = plus(a, base, arcSum(a, r, r2, kAtanPairs, kAtanNext, kAtanTail));
  auto [rounded, unsure] = settleRelative(a, y, 0x1p-37f);
  return {withSign(a, rounded, x), unsure};
}

} // namespace gensyn::functions::pair

#endif // GENSYN_NUMERICS_FUNCTIONS_PAIRARCTRIG_H
