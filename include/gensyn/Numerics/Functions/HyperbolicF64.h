// tanh and sigmoid of an f64: stated algorithms, not correctly rounded;
// docs/Numerics.md, function_r3, has the steps and the bounds.

#ifndef GENSYN_NUMERICS_FUNCTIONS_HYPERBOLICF64_H
#define GENSYN_NUMERICS_FUNCTIONS_HYPERBOLICF64_H

#include "gensyn/Numerics/Functions/ExpF64.h"

namespace gensyn::functions {

/// tanh(x), by expm1, which keeps the digits of small x; 1 from |x| = 22 on.
template <ElementwiseArithmetic A>
typename A::F64 tanhF64(const A &a, typename A::F64 x) {
  auto most = a.f64(22);
  auto size = a.abs(x);
  auto w = a.select(size > most, most, size);
  auto e = expm1F64(a, w + w);
  return canonicalNan(a, x, withSign(a, e / (e + a.f64(2)), x));
}

/// 1 / (1 + exp(-x)), by the exponential that does not overflow.
template <ElementwiseArithmetic A>
typename A::F64 sigmoidF64(const A &a, typename A::F64 x) {
  auto one = a.f64(1);
  auto e = expF64(a, -a.abs(x));
  return canonicalNan(a, x, a.select(x < a.f64(0), e, one) / (one + e));
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_HYPERBOLICF64_H
