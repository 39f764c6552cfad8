// Policies that evaluate and count the functions as a machine with slow f64
// computes them; see Functions/FunctionDispatch.h.

#ifndef GENSYN_NUMERICS_NATIVETWOFLOAT_H
#define GENSYN_NUMERICS_NATIVETWOFLOAT_H

#include "gensyn/Numerics/Cost.h"
#include "gensyn/Numerics/Functions/FunctionDispatch.h"
#include "gensyn/Numerics/Native.h"

namespace gensyn {

/// Evaluates with pairs of f32, and with f64 where those are unsure.
struct NativeTwoFloat : Native {
  static constexpr bool kSlowDouble = true;
  template <class Slow> static F32 rarely(Mask unsure, F32 usual, Slow &&slow) {
    return unsure ? slow() : usual;
  }
};

/// The same on a machine that looks up words.
template <size_t words> struct NativeWordTables : NativeTwoFloat {
  static constexpr bool kSlowDouble = false;
  static constexpr size_t kWords = words;
  static I32 lookup(const uint32_t (&table)[words], I32 i) {
    return table[i % words];
  }
};

/// Counts only the operations that always run, so not those behind `rarely`.
struct CostTwoFloat : Cost {
  using Cost::Cost;
  static constexpr bool kSlowDouble = true;
  template <class Slow> static F32 rarely(Mask, F32 usual, Slow &&) {
    return usual;
  }
};

static_assert(functions::pair::WordTableArithmetic<NativeWordTables<8>> &&
              functions::pair::WordTableArithmetic<NativeWordTables<32>> &&
              functions::SlowDouble<NativeTwoFloat> &&
              functions::SlowDouble<CostTwoFloat> &&
              !functions::SlowDouble<Native>);

} // namespace gensyn

#endif // GENSYN_NUMERICS_NATIVETWOFLOAT_H
