// log and log1p of an f64: stated algorithms, not correctly rounded;
// docs/Numerics.md, function_r2 and function_r3, has the steps and the bounds.

#ifndef GENSYN_NUMERICS_FUNCTIONS_LOGF64_H
#define GENSYN_NUMERICS_FUNCTIONS_LOGF64_H

#include "gensyn/Numerics/Functions/Double.h"
#include "gensyn/Numerics/Functions/Log.h"

namespace gensyn::functions {

/// log((1 + s) / (1 - s)) = s (2 + 2/3 z + z^2 P(z)) with z = s^2: the first
/// two as two words, P interpolated at the zeros of a Chebyshev polynomial, to
/// 2^-50 of it.
inline constexpr DoubleConstant kLogF64[] = {
    {2, 0}, {0x1.5555555555555p-1, 0x1.5555555555555p-55}};
inline constexpr double kLogF64Tail[] = {
    0x1.999999999999ep-2, 0x1.249249248e532p-2, 0x1.c71c71d7e7fc3p-3,
    0x1.745d09f06d811p-3, 0x1.3b18b8ee7a308p-3, 0x1.1018ae366a914p-3,
    0x1.08788c3e01713p-3};

/// log(x) + rest, where `addRest` adds the rest to the low word of log(x).
template <ElementwiseArithmetic A, class AddRest>
typename A::F64 logPlus(const A &a, typename A::F64 x, AddRest addRest) {
  auto infinity = a.real(a.i64(0x7FF0000000000000)), zero = a.f64(0);
  auto subnormal = x < a.f64(0x1p-1022);
  auto [k, f] = reduceLog(a, a.select(subnormal, x * a.f64(0x1p54), x));
  k = a.select(subnormal, k - a.f64(54), k);
  // s = f / (2 + f) in two words, by a reciprocal of the high word of 2 + f.
  auto d = fastSum(a, a.f64(2), f);
  auto inverse = reciprocal(a, d.h);
  auto q = f * inverse;
  Double<A> s{q, a.fma(-q, d.l, a.fma(-q, d.h, f)) * inverse};
  auto z = q * q;
  Double<A> square{z, a.fma(q + q, s.l, a.fma(q, q, -z))};
  auto p = hornerDouble(a, square, kLogF64, hornerChain(a, z, kLogF64Tail));
  auto y = product(a, s, p);
  // k ln2: the first word has 42 bits, so its product with k is exact.
  auto sum = fastSum(a, k * a.f64(0x1.62e42fefa3800p-1), y.h);
  auto low = a.fma(k, a.f64(0x1.ef35793c76730p-45), y.l);
  auto result = sum.h + (sum.l + addRest(low));
  result = a.select(x == infinity, infinity, result);
  result = a.select(x == zero, -infinity, result);
  auto nan = a.real(a.i64(0x7FF8000000000000));
  return a.select(x >= zero, result, nan);
}

/// log(x); log(+-0) = -inf, log of a negative is a NaN.
template <ElementwiseArithmetic A>
typename A::F64 logF64(const A &a, typename A::F64 x) {
  return logPlus(a, x, [](typename A::F64 low) { return low; });
}

/// log(1 + x), from 1 + x in two words; log1p(-1) = -inf.
template <ElementwiseArithmetic A>
typename A::F64 log1pF64(const A &a, typename A::F64 x) {
  auto one = a.f64(1);
  auto isAbove = a.abs(x) > one;
  auto u = fastSum(a, a.select(isAbove, x, one), a.select(isAbove, one, x));
  auto result =
      logPlus(a, u.h, [&](typename A::F64 low) { return low + u.l / u.h; });
  return a.select(x == a.f64(0), x, result);
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_LOGF64_H
