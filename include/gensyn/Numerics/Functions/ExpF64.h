// exp and expm1 of an f64: stated algorithms, not correctly rounded;
// docs/Numerics.md, function_r2 and function_r3, has the steps and the bounds.

#ifndef GENSYN_NUMERICS_FUNCTIONS_EXPF64_H
#define GENSYN_NUMERICS_FUNCTIONS_EXPF64_H

#include "gensyn/Numerics/Functions/Double.h"

namespace gensyn::functions {

/// exp(r) = 1 + r + r^2/2 + r^3 P(r) for |r| <= ln2/2: the first three exactly,
/// P interpolated at the zeros of a Chebyshev polynomial, to 2^-53.7 of it.
inline constexpr DoubleConstant kExpF64[] = {{1, 0}, {1, 0}, {0.5, 0}};
inline constexpr double kExpF64Tail[] = {
    0x1.5555555555555p-3,  0x1.5555555555556p-5,  0x1.1111111111111p-7,
    0x1.6c16c16c162d4p-10, 0x1.a01a01a019b2ap-13, 0x1.a01a01a6d889cp-16,
    0x1.71de3a590520ap-19, 0x1.27e4db646b17ep-22, 0x1.ae643449fe524p-26,
    0x1.1f730349868cep-29, 0x1.61b2b7617544bp-33};

/// 2^k for an integral k in [-1022, 1023].
template <ElementwiseArithmetic A>
typename A::F64 powerOfTwo(const A &a, typename A::F64 k) {
  return a.real((a.bits(k + a.f64(kRound)) << 52) + a.bits(a.f64(1)));
}

/// exp(x) = 2^k (y.h + y.l), with x held in [-746, 710]; r is the argument's
/// distance from k ln2.
template <ElementwiseArithmetic A> struct ExpParts {
  typename A::F64 k, r;
  Double<A> y;
};

template <ElementwiseArithmetic A>
ExpParts<A> expParts(const A &a, typename A::F64 x) {
  auto low = a.f64(-746), high = a.f64(710);
  auto z = a.select(x < low, low, x);
  z = a.select(z > high, high, z);
  auto k = a.fma(z, a.f64(0x1.71547652b82fep0), a.f64(kRound)) - a.f64(kRound);
  // ln2 in two words; the first has 42 bits, so that the first difference is
  // exact. The rounding error of the second is the low word of r.
  auto first = a.fma(k, a.f64(-0x1.62e42fefa3800p-1), z);
  auto second = a.f64(-0x1.ef35793c76730p-45);
  auto r = a.fma(k, second, first);
  Double<A> reduced{r, a.fma(k, second, first - r)};
  auto p = hornerDouble(a, reduced, kExpF64, hornerChain(a, r, kExpF64Tail));
  return {k, r, fastSum(a, p.h, p.l)};
}

/// 2^k in two factors: k may be 1024, or far below the least exponent.
template <ElementwiseArithmetic A>
Double<A> powersOfTwo(const A &a, typename A::F64 k) {
  auto half = (k * a.f64(0.5) + a.f64(kRound)) - a.f64(kRound);
  return {powerOfTwo(a, half), powerOfTwo(a, k - half)};
}

/// exp(x); infinite on overflow, subnormal or 0 on underflow.
template <ElementwiseArithmetic A>
typename A::F64 expF64(const A &a, typename A::F64 x) {
  auto [k, r, y] = expParts(a, x);
  // A subnormal result 2^k y has fewer bits: those that y has above 2^-1022-k.
  auto least = powerOfTwo(a, a.f64(-1022) - k);
  auto few = fastSum(a, least, y.h);
  auto tiny = (y.h < least) & (k < a.f64(-1021));
  auto fewer = (few.h + (few.l + y.l)) - least;
  y.h = a.select(tiny, fewer, y.h);
  auto power = powersOfTwo(a, k);
  return canonicalNan(a, x, y.h * power.h * power.l);
}

/// exp(x) - 1. For k = 0 by the series alone, which keeps the digits of small
/// x; otherwise 2^k y is at least 2^(1/2) or at most 2^(-1/2).
template <ElementwiseArithmetic A>
typename A::F64 expm1F64(const A &a, typename A::F64 x) {
  auto [k, r, y] = expParts(a, x);
  auto minusOne = a.f64(-1), zero = a.f64(0);
  auto tail = a.fma(r, hornerChain(a, r, kExpF64Tail), a.f64(0.5));
  auto series = a.fma(r * r, tail, r);
  auto power = powersOfTwo(a, k);
  auto high = y.h * power.h * power.l, low = y.l * power.h * power.l;
  auto isAbove = k > zero;
  auto sum = fastSum(a, a.select(isAbove, high, minusOne),
                     a.select(isAbove, minusOne, high));
  auto infinity = a.real(a.i64(0x7FF0000000000000));
  auto result = a.select(high == infinity, high, sum.h + (sum.l + low));
  result = a.select(k == zero, series, result);
  return canonicalNan(a, x, a.select(x == zero, x, result));
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_EXPF64_H
