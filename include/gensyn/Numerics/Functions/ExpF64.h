// exp of an f64: one stated algorithm, not correctly rounded; docs/Numerics.md,
// function_r2, has the steps and the bound.

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

/// exp(x); infinite on overflow, subnormal or 0 on underflow.
template <ElementwiseArithmetic A>
typename A::F64 expF64(const A &a, typename A::F64 x) {
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
  auto y = fastSum(a, p.h, p.l);
  // A subnormal result 2^k y has fewer bits: those that y has above 2^-1022-k.
  auto least = powerOfTwo(a, a.f64(-1022) - k);
  auto few = fastSum(a, least, y.h);
  auto tiny = (y.h < least) & (k < a.f64(-1021));
  auto fewer = (few.h + (few.l + y.l)) - least;
  y.h = a.select(tiny, fewer, y.h);
  // 2^k in two factors: k may be 1024, or far below the least exponent.
  auto half = (k * a.f64(0.5) + a.f64(kRound)) - a.f64(kRound);
  y.h = y.h * powerOfTwo(a, half) * powerOfTwo(a, k - half);
  return a.select(a.isNan(x), a.real(a.i64(0x7FF8000000000000)), y.h);
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_EXPF64_H
