// sinh, cosh. (tanh is in Exp.h.)

#ifndef GENSYN_NUMERICS_FUNCTIONS_HYPERBOLIC_H
#define GENSYN_NUMERICS_FUNCTIONS_HYPERBOLIC_H

#include "gensyn/Numerics/Functions/Exp.h"

namespace gensyn::functions {

/// |x| = k ln2 + r: sinh r, cosh r, and the sum and the difference of 2^(k-1)
/// and 2^(-k-1), which are exact to f64's precision. The addition theorems give
/// both functions from these without a division.
template <ElementwiseArithmetic A> struct Hyperbolic {
  typename A::F64 sinh, cosh, sum, difference;
};

template <ElementwiseArithmetic A>
Hyperbolic<A> hyperbolic(const A &a, typename A::F32 x) {
  // From 91 on both overflow in the narrowing.
  auto [r, k] = reduceExp(a, a.widen(clampedMagnitude(a, x, 91)));
  auto r2 = r * r;
  auto s = a.fma(r * r2, horner(a, r2, kSinh), r);
  auto c = a.fma(r2, horner(a, r2, kCosh), a.f64(1));
  auto half = a.bits(a.f64(0.5));
  auto up = a.real(half + (k << 52)), down = a.real(half - (k << 52));
  return {s, c, up + down, up - down};
}

inline constexpr Exception kSinhExceptions[] = {
    {0x3A1285FF, 0x3A1285FF}}; // magnitudes

/// sinh(x).
template <ElementwiseArithmetic A>
typename A::F32 sinh(const A &a, typename A::F32 x) {
  auto h = hyperbolic(a, x);
  auto y = a.abs(a.narrow(a.fma(h.cosh, h.difference, h.sinh * h.sum)));
  y = patch(a, a.abs(x), y, kSinhExceptions);
  return canonicalNan(a, x, withSign(a, y, x));
}

/// cosh(x).
template <ElementwiseArithmetic A>
typename A::F32 cosh(const A &a, typename A::F32 x) {
  auto h = hyperbolic(a, x);
  auto y = a.narrow(a.fma(h.sinh, h.difference, h.cosh * h.sum));
  return canonicalNan(a, x, y);
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_HYPERBOLIC_H
