// f32 fused multiply-add from f64 operations, for machines without it; see
// docs/Numerics.md, g3.

#ifndef GENSYN_NUMERICS_FMA_H
#define GENSYN_NUMERICS_FMA_H

#include "gensyn/Numerics/Arithmetic.h"

namespace gensyn::functions {

/// x y + z rounded once. The product of two f32 is exact in f64. The sum is
/// rounded to odd there: if it is inexact, to the neighbour with an odd last
/// bit. Narrowing then rounds as if from the exact sum.
template <ElementwiseArithmetic A>
typename A::F32 fmaThroughF64(const A &a, typename A::F32 x, typename A::F32 y,
                              typename A::F32 z) {
  auto product = a.widen(x) * a.widen(y);
  auto addend = a.widen(z);
  auto sum = product + addend;
  // The exact rounding error of the sum; a NaN if it is not finite.
  auto back = sum - product;
  auto lost = (product - (sum - back)) + (addend - back);
  auto inexact = a.select(a.abs(lost) > a.f64(0), a.i64(1), a.i64(0));
  // The sum truncated towards zero, with its last bit set. Computed with
  // numbers and not with masks, since SSE2 cannot compare 64-bit integers.
  auto inward = ((a.bits(sum) ^ a.bits(lost)) >> 63) & inexact;
  return a.narrow(a.real((a.bits(sum) - inward) | inexact));
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FMA_H
