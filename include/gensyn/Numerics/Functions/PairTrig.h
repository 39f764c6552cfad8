// sin, cos, tan of pairs of f32.

#ifndef GENSYN_NUMERICS_FUNCTIONS_PAIRTRIG_H
#define GENSYN_NUMERICS_FUNCTIONS_PAIRTRIG_H

#include "gensyn/Numerics/Functions/Pair.h"

namespace gensyn::functions::pair {

/// Coefficients of sin(r) = r + r r^2 P(r^2) and of cos(r) = 1 + r^2 P(r^2),
/// |r| <= pi/4; relative errors 2^-45.3 and 2^-42.2. The first two are pairs.
/// (Minimax fits as in PairExp.h.)
struct TrigCoefficients {
  PairConstant c0, c1;
  float c2, c3, c4;
};
inline constexpr TrigCoefficients kPairSin = {
    {-0x1.555556p-3f, 0x1.555bbcp-28f},
    {0x1.111112p-7f, -0x1.e6f73ap-32f},
    -0x1.a019fap-13f,
    0x1.71d83p-19f,
    -0x1.a9becp-26f};
inline constexpr TrigCoefficients kPairCos = {{-0.5f, 0x1.66ff68p-38f},
                                              {0x1.555556p-5f, -0x1.747fcp-30f},
                                              -0x1.6c16b4p-10f,
                                              0x1.a00f68p-16f,
                                              -0x1.23f216p-22f};

/// The argument is r + n pi/2, |r| <= pi/4 (or hardly more); n is in the low
/// bits of `shifted`.
template <ElementwiseArithmetic A> struct Quarters {
  Pair<A> r;
  typename A::I32 shifted;
  typename A::Mask sure; ///< True if r has enough bits.
};

/// Reduces x >= 0. Not sure for x > 2^17 and next to the multiples of pi/2.
template <ElementwiseArithmetic A>
Quarters<A> reduceQuarters(const A &a, typename A::F32 x) {
  auto magic = a.f32(0x1.8p23f);
  auto t = a.fma(x, a.f32(0x1.45f306p-1f), magic);
  auto k = t - magic;
  // pi/2 in three words of 24 bits. With the first the difference is exact: a
  // multiple of 2^-24 below 1.
  auto middle = a.f32(0x1.777a5cp-25f);
  auto p = k * middle;
  auto e = a.fma(k, middle, -p);
  auto r = sum(a, a.fma(k, a.f32(-0x1.921fb6p0f), x), p);
  r.l = r.l + a.fma(k, a.f32(0x1.ee59dap-50f), e);
  auto near = a.abs(r.h) < a.f32(0x1p-14f);
  auto unsure = near & (t != magic);
  auto inside = x <= a.f32(0x1p17f);
  typename A::Mask sure = inside & !unsure;
  return {r, a.bits(t), sure};
}

/// first + first r^2 P(r^2): sin r for first = r, cos r for first = 1.
template <ElementwiseArithmetic A, class Pick>
Pair<A> trigSum(const A &a, Pair<A> first, Pair<A> r2, Pick &&pick) {
  auto pickPair = [&](PairConstant TrigCoefficients::*c) {
    return Pair<A>{pick([&](const TrigCoefficients &of) { return (of.*c).h; }),
                   pick([&](const TrigCoefficients &of) { return (of.*c).l; })};
  };
  auto pickOne = [&](float TrigCoefficients::*c) {
    return pick([&](const TrigCoefficients &of) { return of.*c; });
  };
  auto tail = a.fma(pickOne(&TrigCoefficients::c4), r2.h,
                    pickOne(&TrigCoefficients::c3));
  auto q = fastSum(a, pickOne(&TrigCoefficients::c2), tail * r2.h);
  q = plus(a, pickPair(&TrigCoefficients::c1), times(a, q, r2));
  q = plus(a, pickPair(&TrigCoefficients::c0), times(a, q, r2));
  return plus(a, first, times(a, times(a, q, r2), first));
}

/// sin of r + (n + phase) pi/2.
template <ElementwiseArithmetic A>
Attempt<A> sinOfQuarters(const A &a, const Quarters<A> &quarters,
                         uint32_t phase) {
  const auto &r = quarters.r;
  auto n = quarters.shifted + a.i32(phase);
  auto odd = (n & a.i32(1)) == a.i32(1);
  Pair<A> first{a.select(odd, a.f32(1), r.h), a.select(odd, a.f32(0), r.l)};
  auto y = trigSum(a, first, square(a, r), [&](auto &&of) {
    return a.select(odd, a.f32(of(kPairCos)), a.f32(of(kPairSin)));
  });
  auto [rounded, unsure] = settleRelative(a, y, 0x1p-38f);
  auto sign = (n << 30) & a.i32(0x80000000);
  return {a.real(a.bits(rounded) ^ sign), !(quarters.sure & !unsure)};
}

/// sin(x).
template <ElementwiseArithmetic A>
Attempt<A> sin(const A &a, typename A::F32 x) {
  auto [y, unsure] = sinOfQuarters(a, reduceQuarters(a, a.abs(x)), 0);
  auto sign = a.bits(x) & a.i32(0x80000000);
  return {a.real(a.bits(y) ^ sign), unsure};
}

/// cos(x).
template <ElementwiseArithmetic A>
Attempt<A> cos(const A &a, typename A::F32 x) {
  return sinOfQuarters(a, reduceQuarters(a, a.abs(x)), 1);
}

/// tan(x), of an odd number of quarters -cos r / sin r.
template <ElementwiseArithmetic A>
Attempt<A> tan(const A &a, typename A::F32 x) {
  auto quarters = reduceQuarters(a, a.abs(x));
  auto r = quarters.r, r2 = square(a, r);
  auto s = trigSum(a, r, r2, [&](auto &&of) { return a.f32(of(kPairSin)); });
  auto c = trigSum(a, Pair<A>{a.f32(1), a.f32(0)}, r2,
                   [&](auto &&of) { return a.f32(of(kPairCos)); });
  auto odd = (quarters.shifted & a.i32(1)) == a.i32(1);
  Pair<A> n{a.select(odd, c.h, s.h), a.select(odd, c.l, s.l)};
  Pair<A> d{a.select(odd, s.h, c.h), a.select(odd, s.l, c.l)};
  auto [rounded, unsure] = settleRelative(a, quotient(a, n, d), 0x1p-37f);
  auto sign = (a.bits(x) ^ (quarters.shifted << 31)) & a.i32(0x80000000);
  return {a.real(a.bits(rounded) ^ sign), !(quarters.sure & !unsure)};
}

} // namespace gensyn::functions::pair

#endif // GENSYN_NUMERICS_FUNCTIONS_PAIRTRIG_H
