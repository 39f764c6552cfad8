// exp, expm1, sigmoid, tanh of pairs of f32.

#ifndef GENSYN_NUMERICS_FUNCTIONS_PAIREXP_H
#define GENSYN_NUMERICS_FUNCTIONS_PAIREXP_H

#include "gensyn/Numerics/Functions/Pair.h"

namespace gensyn::functions::pair {

/// expm1(r) = r + r^2 (1/2 + r (c[0] + r (c[1] + ...))), |r| <= ln2/2; relative
/// error 2^-41.8. The first two are pairs. (A minimax fit; each coefficient
/// rounded in turn and the higher ones fitted again.)
inline constexpr PairConstant kExpPairs[] = {{0x1.555556p-3f, -0x1.5532b8p-28f},
                                             {0x1.555556p-5f, -0x1.34903p-30f}};
inline constexpr float kExpTail[] = {0x1.11111p-7f, 0x1.6c1666p-10f,
                                     0x1.a01f82p-13f, 0x1.a142d6p-16f,
                                     0x1.6b22bcp-19f};

/// exp(x) = 2^k (1 + m), |m| < 0.415; k is also in the low bits of `shifted`.
template <ElementwiseArithmetic A> struct ExpParts {
  Pair<A> m;
  Pair<A> y; ///< 1 + m
  typename A::I32 shifted;
};

/// For |x| <= 128.
template <ElementwiseArithmetic A>
ExpParts<A> expParts(const A &a, typename A::F32 x) {
  auto magic = a.f32(0x1.8p23f);
  auto t = a.fma(x, a.f32(0x1.715476p0f), magic);
  auto k = t - magic;
  // ln2 in three words; the first two have 16 bits, so that their products
  // with k are exact. r is s + l.
  auto middle = a.f32(-0x1.7f7ep-20f);
  auto first = a.fma(k, a.f32(-0x1.62e4p-1f), x); // exact
  auto s = a.fma(k, middle, first);
  auto l = a.fma(k, middle, first - s);
  l = a.fma(k, a.f32(0x1.c610cap-37f), l);

  // exp(s + l) - 1 = m + (1 + m) l
  auto p = fastSum(a, a.f32(kExpPairs[1].h), horner(a, s, kExpTail) * s);
  auto q = plus(a, kExpPairs[0],
                times(a, Pair<A>{p.h, p.l + a.f32(kExpPairs[1].l)}, s));
  q = times(a, plus(a, PairConstant{0.5f, 0}, times(a, q, s)), s);
  q = times(a, q, s);
  auto m = fastSum(a, s, q.h);
  m.l = m.l + q.l;
  auto y = fastSum(a, a.f32(1), m.h);
  m.l = a.fma(l, y.h, m.l);
  return {m, {y.h, y.l + m.l}, a.bits(t)};
}

/// y 2^k, for a normal result.
template <ElementwiseArithmetic A>
typename A::F32 scale(const A &a, typename A::F32 y, typename A::I32 shifted) {
  return a.real(a.bits(y) + (shifted << 23));
}

/// exp(x). Unsure for all subnormal results.
template <ElementwiseArithmetic A>
Attempt<A> exp(const A &a, typename A::F32 x) {
  auto [m, y, shifted] = expParts(a, x);
  auto [rounded, unsure] = settle(a, y, a.f32(0x1p-38f));
  auto zero = x<a.f32(-104), infinite = x> a.f32(0x1.62e42ep6f);
  auto normal = (x >= a.f32(-0x1.5d589ep6f)) & !(infinite | unsure);
  auto result =
      a.select(infinite, a.f32(kInfinity), scale(a, rounded, shifted));
  return {a.select(zero, a.f32(0), result), !(normal | zero | infinite)};
}

/// 2^k and 2^-k, for results that are normal.
template <ElementwiseArithmetic A>
typename A::F32 powerOf(const A &a, typename A::I32 shifted) {
  return a.real(a.bits(a.f32(1)) + (shifted << 23));
}
template <ElementwiseArithmetic A>
typename A::F32 inversePowerOf(const A &a, typename A::I32 shifted) {
  return a.real(a.bits(a.f32(1)) - (shifted << 23));
}

/// exp(x) - 1, as 2^k m + (2^k - 1).
template <ElementwiseArithmetic A>
Attempt<A> expm1(const A &a, typename A::F32 x) {
  auto [m, y, shifted] = expParts(a, clamp(a, x, -20, 88));
  auto power = powerOf(a, shifted);
  auto whole = sum(a, power, a.f32(-1));
  // For k = 0 it is m itself; for others |2^k - 1| is greater than 2^k |m|.
  auto p = fastSum(a, whole.h, power * m.h);
  p.l = a.fma(power, m.l, p.l + whole.l);
  auto [rounded, unsure] = settleRelative(a, p, 0x1p-36f);
  auto infinite = x > a.f32(0x1.62e42ep6f);
  auto sure = !unsure & (x <= a.f32(88));
  auto result = a.select(infinite, a.f32(kInfinity), withSign(a, rounded, x));
  return {result, !(sure | infinite)};
}

/// 1 / (1 + exp(-x)), as 1 or e over 1 + e with e = exp(-|x|) <= 1. Unsure for
/// all subnormal results.
template <ElementwiseArithmetic A>
Attempt<A> sigmoid(const A &a, typename A::F32 x) {
  auto [m, y, shifted] = expParts(a, -clampedMagnitude(a, x, 87.25f));
  auto power = powerOf(a, shifted);
  auto d = fastSum(a, a.f32(1), y.h * power);
  d.l = a.fma(y.l, power, d.l);
  auto negative = x < a.f32(0);
  Pair<A> n{a.select(negative, y.h, a.f32(1)),
            a.select(negative, y.l, a.f32(0))};
  auto [rounded, unsure] = settleRelative(a, quotient(a, n, d), 0x1p-38f);
  auto zero = x < a.f32(-104);
  auto sure = !unsure & (x >= a.f32(-87.25f));
  auto result = a.select(negative, scale(a, rounded, shifted), rounded);
  return {a.select(zero, a.f32(0), result), !(sure | zero)};
}

/// (1 + m - 2^-k) / (1 + m + 2^-k) with 2^k (1 + m) = exp(2 |x|).
template <ElementwiseArithmetic A>
Attempt<A> tanh(const A &a, typename A::F32 x) {
  auto z = clampedMagnitude(a, x, 10); // tanh(10) rounds to 1
  auto [m, y, shifted] = expParts(a, z + z);
  auto power = inversePowerOf(a, shifted);
  auto one = a.f32(1);
  auto less = one - power, more = one + power;
  auto n = fastSum(a, less, m.h), d = fastSum(a, more, m.h);
  n.l = n.l + (m.l + ((one - less) - power));
  d.l = d.l + (m.l + (power - (more - one)));
  auto [rounded, unsure] = settleRelative(a, quotient(a, n, d), 0x1p-37f);
  return {withSign(a, rounded, x), unsure};
}

} // namespace gensyn::functions::pair

#endif // GENSYN_NUMERICS_FUNCTIONS_PAIREXP_H
