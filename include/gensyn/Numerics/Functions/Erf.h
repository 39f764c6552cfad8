// erf.

#ifndef GENSYN_NUMERICS_FUNCTIONS_ERF_H
#define GENSYN_NUMERICS_FUNCTIONS_ERF_H

#include "gensyn/Numerics/Functions/Common.h"

namespace gensyn::functions {

/// erf(x): one odd polynomial; above 3.93 it rounds to 1.
template <ElementwiseArithmetic A>
typename A::F32 erf(const A &a, typename A::F32 x) {
  auto z = a.widen(clampedMagnitude(a, x, 3.93f));
  // A polynomial in x^2 would cancel 22 bits; about the middle it cancels 2.
  auto v = a.fma(z * z, a.f64(1 / 7.75), a.f64(-1));
  auto y = a.narrow(z * horner(a, v, kErf));
  return canonicalNan(a, x, withSign(a, y, x));
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_ERF_H
