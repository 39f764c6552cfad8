// Selects the implementation of each function in Functions.def for a policy:
// only this file chooses between f64 and pairs of f32. The bits are the same.
//
// A policy whose f64 is slow (a consumer GPU has one f64 unit for 32 or 64 of
// f32) sets `kSlowDouble` and adds one member to those of Arithmetic.h:
//
//   static constexpr bool kSlowDouble = true
//   rarely(Mask, F32 usual, slow) -> F32
//               slow(), an F32, where the mask is set, else `usual`. The
//               mask is set for about one number in 2^13, so an evaluator
//               should branch.
//
// A policy that looks up words (PairExpTable.h) takes pairs for those functions
// that they make faster.

#ifndef GENSYN_NUMERICS_FUNCTIONS_FUNCTIONDISPATCH_H
#define GENSYN_NUMERICS_FUNCTIONS_FUNCTIONDISPATCH_H

#include "gensyn/Numerics/Functions.h"
#include "gensyn/Numerics/Functions/PairArcHyperbolic.h"
#include "gensyn/Numerics/Functions/PairArcTrig.h"
#include "gensyn/Numerics/Functions/PairErf.h"
#include "gensyn/Numerics/Functions/PairExp.h"
#include "gensyn/Numerics/Functions/PairExpTable.h"
#include "gensyn/Numerics/Functions/PairHyperbolic.h"
#include "gensyn/Numerics/Functions/PairLog.h"
#include "gensyn/Numerics/Functions/PairTrig.h"

namespace gensyn::functions {

template <class A>
concept SlowDouble = ElementwiseArithmetic<A> && A::kSlowDouble &&
                     requires(const A &a, typename A::F32 x, typename A::Mask m,
                              typename A::F32 (*slow)()) {
                       {
                         a.rarely(m, x, slow)
                       } -> std::convertible_to<typename A::F32>;
                     };

namespace dispatched {
#define GENSYN_FUNCTION(Stem, name)                                            \
  template <ElementwiseArithmetic A>                                           \
  typename A::F32 name(const A &a, typename A::F32 x) {                        \
    if constexpr (SlowDouble<A>) {                                             \
      const pair::Attempt<A> attempt = pair::name(a, x);                       \
      return a.rarely(attempt.unsure, attempt.y,                               \
                      [&] { return functions::name(a, x); });                  \
    } else {                                                                   \
      return functions::name(a, x);                                            \
    }                                                                          \
  }
#include "gensyn/Numerics/Functions.def"

// NaNs are unsure, so that only they are tested for one.
#define GENSYN_FUNCTION(Stem, name)                                            \
  template <pair::WordTableArithmetic A>                                       \
  typename A::F32 name(const A &a, typename A::F32 x) {                        \
    const pair::Attempt<A> attempt = pair::name(a, x);                         \
    return a.rarely(attempt.unsure, attempt.y, [&] {                           \
      return canonicalNan(a, x, functions::name(a, x));                        \
    });                                                                        \
  }
#include "gensyn/Numerics/Functions/WordTables.def"
} // namespace dispatched

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_FUNCTIONDISPATCH_H
