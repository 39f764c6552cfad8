// log, log1p of pairs of f32.

#ifndef GENSYN_NUMERICS_FUNCTIONS_PAIRLOG_H
#define GENSYN_NUMERICS_FUNCTIONS_PAIRLOG_H

#include "gensyn/Numerics/Functions/Pair.h"

namespace gensyn::functions::pair {

/// 2 atanh(s / 2) = s + s^3 (c[0] + s^2 (c[1] + ...)), |s| <= 0.3436; relative
/// error 2^-43.6. The first is a pair. (A minimax fit as in PairExp.h.)
inline constexpr PairConstant kLogPair = {0x1.555556p-4f, -0x1.53bf38p-29f};
inline constexpr float kLogNext = 0x1.999996p-7f;
inline constexpr float kLogTail[] = {0x1.24948p-9f, 0x1.c5fea8p-12f,
                                     0x1.93e8bep-14f};

/// u = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2); `exponent` holds the bits of
/// 2^k (and those of the mantissa).
template <ElementwiseArithmetic A> struct LogReduced {
  typename A::F32 k, f;
  typename A::I32 exponent;
};

/// For normal u > 0.
template <ElementwiseArithmetic A>
LogReduced<A> reduceLog(const A &a, typename A::F32 u) {
  constexpr uint32_t root = 0x3F3504F3; // bits of sqrt(1/2)
  auto i = a.bits(u) + a.i32(0x3F800000 - root);
  auto k = a.real((i >> 23) | a.i32(0x4B000000)) - a.f32(0x1p23f + 127);
  auto m = a.real((i & a.i32(0x007FFFFF)) + a.i32(root));
  return {k, m - a.f32(1), i};
}

/// k ln2 + log(1 + f), as twice the inverse hyperbolic tangent of s / 2 with
/// s = f / (1 + f / 2).
template <ElementwiseArithmetic A>
Pair<A> logSum(const A &a, typename A::F32 k, Pair<A> f) {
  auto half = a.f32(0.5f);
  auto d = fastSum(a, a.f32(1), f.h * half);
  auto s = quotient(a, f, Pair<A>{d.h, a.fma(f.l, half, d.l)});
  auto s2 = square(a, s);
  auto p = fastSum(a, a.f32(kLogNext), s2.h * horner(a, s2.h, kLogTail));
  auto q = plus(a, kLogPair, times(a, p, s2));
  q = times(a, times(a, q, s2), s);
  auto y = fastSum(a, s.h, q.h);
  y.l = y.l + (q.l + s.l);
  // ln2 in two words, the first of 16 bits.
  auto z = fastSum(a, k * a.f32(0x1.62e4p-1f), y.h);
  z.l = a.fma(k, a.f32(0x1.7f7d1cp-20f), z.l + y.l);
  return z;
}

/// log(1 + x), with a small relative error near 0 too. For -1 < x.h <= 2^126.
template <ElementwiseArithmetic A> Pair<A> logOfOnePlus(const A &a, Pair<A> x) {
  auto u = sum(a, a.f32(1), x.h);
  auto [k, h, exponent] = reduceLog(a, u.h);
  // 2^-k, by which the low word is scaled as the high one is.
  auto inverse = a.real(a.i32(254u << 23) - (exponent & a.i32(0x7F800000)));
  auto whole = k == a.f32(0);
  Pair<A> f{a.select(whole, x.h, h),
            a.select(whole, x.l, (u.l + x.l) * inverse)};
  return logSum(a, k, f);
}

/// log(x). Unsure for subnormal x, and where there is no finite result.
template <ElementwiseArithmetic A>
Attempt<A> log(const A &a, typename A::F32 x) {
  auto [k, f, exponent] = reduceLog(a, x);
  auto y = logSum(a, k, Pair<A>{f, a.f32(0)});
  auto [rounded, unsure] = settleRelative(a, y, 0x1p-39f);
  auto usual = within(a, x, 0x1p-126f, 0x1.fffffep127f);
  return {rounded, !(usual & !unsure)};
}

/// log(1 + x).
template <ElementwiseArithmetic A>
Attempt<A> log1p(const A &a, typename A::F32 x) {
  auto y = logOfOnePlus(a, Pair<A>{x, a.f32(0)});
  auto [rounded, unsure] = settleRelative(a, y, 0x1p-39f);
  auto usual = within(a, x, -0x1.fffffep-1f, 0x1p126f);
  return {withSign(a, rounded, x), !(usual & !unsure)};
}

} // namespace gensyn::functions::pair

#endif // GENSYN_NUMERICS_FUNCTIONS_PAIRLOG_H
