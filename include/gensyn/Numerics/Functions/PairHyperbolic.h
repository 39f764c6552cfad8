// sinh, cosh of pairs of f32. (tanh is in PairExp.h.)

#ifndef GENSYN_NUMERICS_FUNCTIONS_PAIRHYPERBOLIC_H
#define GENSYN_NUMERICS_FUNCTIONS_PAIRHYPERBOLIC_H

#include "gensyn/Numerics/Functions/PairExp.h"

namespace gensyn::functions::pair {

/// With 2^k (1 + m) = exp(|x|), q = 2^-2k and n = m / (1 + m), the functions
/// are 2^(k-1) ((1 - q) + m + q n) and 2^(k-1) ((1 + q) + m - q n). Nothing of
/// this cancels.
template <ElementwiseArithmetic A> struct PairHyperbolic {
  Pair<A> m, qn;
  typename A::F32 q;
  typename A::I32 shifted;
};

template <ElementwiseArithmetic A>
PairHyperbolic<A> pairHyperbolic(const A &a, typename A::F32 z) {
  auto [m, y, shifted] = expParts(a, z);
  // Beyond 40 it is negligible.
  auto q = a.real(a.bits(a.f32(1)) - (shifted << 24));
  q = a.select(z < a.f32(40), q, a.f32(0));
  auto n = quotient(a, m, y);
  return {m, {n.h * q, n.l * q}, q, shifted};
}

/// p 2^(k-1), rounded; infinite where the functions overflow.
template <ElementwiseArithmetic A>
Attempt<A> settleHyperbolic(const A &a, Pair<A> p, typename A::F32 z,
                            typename A::I32 shifted) {
  auto [rounded, unsure] = settleRelative(a, p, 0x1p-36f);
  auto result = scale(a, rounded, shifted - a.i32(1));
  auto infinite = z > a.f32(0x1.65a9f8p6f);
  auto finite = z <= a.f32(0x1.65a9f8p6f);
  auto sure = finite & !unsure;
  return {a.select(infinite, a.f32(kInfinity), result), !(sure | infinite)};
}

/// sinh(x).
template <ElementwiseArithmetic A>
Attempt<A> sinh(const A &a, typename A::F32 x) {
  auto z = a.abs(x), one = a.f32(1);
  auto [m, qn, q, shifted] = pairHyperbolic(a, z);
  auto less = one - q;
  auto p = fastSum(a, less, m.h);
  p = plus(a, Pair<A>{p.h, p.l + (m.l + ((one - less) - q))}, qn);
  auto [y, unsure] = settleHyperbolic(a, p, z, shifted);
  // Below 2^-20 sinh(x) rounds to x; `scale` needs a normal result.
  auto small = z < a.f32(0x1p-20f);
  return {withSign(a, a.select(small, z, y), x), !(small | !unsure)};
}

/// cosh(x).
template <ElementwiseArithmetic A>
Attempt<A> cosh(const A &a, typename A::F32 x) {
  auto z = a.abs(x), one = a.f32(1);
  auto [m, qn, q, shifted] = pairHyperbolic(a, z);
  auto more = one + q;
  auto p = fastSum(a, more, m.h);
  p = plus(a, Pair<A>{p.h, p.l + (m.l + (q - (more - one)))},
           Pair<A>{-qn.h, -qn.l});
  return settleHyperbolic(a, p, z, shifted);
}

} // namespace gensyn::functions::pair

#endif // GENSYN_NUMERICS_FUNCTIONS_PAIRHYPERBOLIC_H
