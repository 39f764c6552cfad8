// erf of an f64: one stated algorithm, not correctly rounded; docs/Numerics.md,
// function_r3, has the steps and the bound.

#ifndef GENSYN_NUMERICS_FUNCTIONS_ERFF64_H
#define GENSYN_NUMERICS_FUNCTIONS_ERFF64_H

#include "gensyn/Numerics/Functions/ExpF64.h"

namespace gensyn::functions {

/// erf(x) / x - 1 in x^2 for |x| <= 1, to 2^-55.7, and exp(x^2) erfc(x) in
/// (x - 2.5) / (x + 2.5) for x from 1 to 6, to 2^-57.8 of erf(x) after the
/// product with exp(-x^2). Interpolated at the zeros of Chebyshev polynomials.
inline constexpr double kErfF64[] = {
    0x1.06eba8214db69p-3,   -0x1.812746b0379e6p-2,  0x1.ce2f21a042b3p-4,
    -0x1.b82ce31284ep-6,    0x1.565bcd0dbaa38p-8,   -0x1.c02db3dac435fp-11,
    0x1.f9a321d5b8e1ep-14,  -0x1.f4d1e3183f7aep-17, 0x1.b9df224ca4b97p-20,
    -0x1.5f1ecb6f0764cp-23, 0x1.f7b4bf3b13964p-27,  -0x1.389d4f2641625p-30,
    0x1.05ffd737fb32ep-34};
inline constexpr double kErfcF64[] = {
    0x1.afbb3f3b7343bp-3,   -0x1.7ca88dec2179fp-2,  0x1.01c11a735cd9p-2,
    -0x1.001154371791p-3,   0x1.470ba1f67a1a9p-5,   -0x1.05bb2fdf6af31p-8,
    -0x1.5a5716b1b771fp-9,  0x1.cb3b5c1d1aec7p-11,  0x1.def28f2749997p-13,
    -0x1.0e4525f30bfc3p-13, -0x1.1eafcc284801bp-15, 0x1.38006c5e8491ep-16,
    0x1.f74c7792ffaecp-18,  -0x1.2bb032d568eep-19,  -0x1.aa2d5ed17d342p-20};

/// erf(x); from |x| = 6 on it is 1 - 2^-55, rounded.
template <ElementwiseArithmetic A>
typename A::F64 erfF64(const A &a, typename A::F64 x) {
  auto one = a.f64(1), least = a.f64(6);
  auto size = a.abs(x);
  auto below = a.fma(x, hornerChain(a, x * x, kErfF64), x);
  auto w = a.select(size < one, one, a.select(size > least, least, size));
  auto t = (w - a.f64(2.5)) / (w + a.f64(2.5));
  auto rest = expF64(a, -(w * w)) * hornerChain(a, t, kErfcF64);
  auto above = withSign(a, one - rest, x);
  auto y = a.select(size < one, below, above);
  return canonicalNan(a, x, y);
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_ERFF64_H
