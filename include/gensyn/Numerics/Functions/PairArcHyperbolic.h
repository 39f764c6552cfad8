// asinh, acosh, atanh of pairs of f32: all three as log(1 + m).

#ifndef GENSYN_NUMERICS_FUNCTIONS_PAIRARCHYPERBOLIC_H
#define GENSYN_NUMERICS_FUNCTIONS_PAIRARCHYPERBOLIC_H

#include "gensyn/Numerics/Functions/PairLog.h"

namespace gensyn::functions::pair {

/// The square root of v > 0. For 0 a NaN, which counts as unsure.
template <ElementwiseArithmetic A> Pair<A> root(const A &a, Pair<A> v) {
  auto h = a.sqrt(v.h);
  return {h, (a.fma(-h, h, v.h) + v.l) / (h + h)};
}

/// asinh(x), m = z + z^2 / (1 + sqrt(1 + z^2)). Unsure beyond 2^60.
template <ElementwiseArithmetic A>
Attempt<A> asinh(const A &a, typename A::F32 x) {
  auto z = a.abs(x), zero = a.f32(0);
  auto h = z * z;
  Pair<A> z2{h, a.fma(z, z, -h)};
  auto w = sum(a, a.f32(1), z2.h);
  auto r = root(a, Pair<A>{w.h, w.l + z2.l});
  auto d = fastSum(a, r.h, a.f32(1));
  auto t = quotient(a, z2, Pair<A>{d.h, d.l + r.l});
  auto y = logOfOnePlus(a, plus(a, Pair<A>{z, zero}, t));
  auto [rounded, unsure] = settleRelative(a, y, 0x1p-38f);
  auto usual = z <= a.f32(0x1p60f);
  return {withSign(a, rounded, x), !(usual & !unsure)};
}

/// acosh(x), m = (x - 1) + sqrt((x - 1) (x + 1)). Unsure at 1, and beyond 2^60.
template <ElementwiseArithmetic A>
Attempt<A> acosh(const A &a, typename A::F32 x) {
  auto one = a.f32(1);
  auto less = sum(a, x, -one), more = sum(a, x, one);
  auto r = root(a, times(a, less, more));
  auto y = logOfOnePlus(a, plus(a, r, less));
  auto [rounded, unsure] = settleRelative(a, y, 0x1p-38f);
  auto usual = within(a, x, 0x1.000002p0f, 0x1p60f);
  return {rounded, !(usual & !unsure)};
}

/// atanh(x), half of the logarithm for m = 2 z / (1 - z).
template <ElementwiseArithmetic A>
Attempt<A> atanh(const A &a, typename A::F32 x) {
  auto z = a.abs(x);
  auto m = quotient(a, Pair<A>{z + z, a.f32(0)}, fastSum(a, a.f32(1), -z));
  auto y = logOfOnePlus(a, m);
  auto [rounded, unsure] = settleRelative(a, y, 0x1p-38f);
  auto usual = z < a.f32(1);
  return {withSign(a, rounded * a.f32(0.5f), x), !(usual & !unsure)};
}

} // namespace gensyn::functions::pair

#endif // GENSYN_NUMERICS_FUNCTIONS_PAIRARCHYPERBOLIC_H
