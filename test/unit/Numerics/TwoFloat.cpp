// See TwoFloat.h. Loops as in lib/Numerics/Evaluate.cpp.

#include "TwoFloat.h"

#include "gensyn/Numerics/NativeTwoFloat.h"

#include <array>
#include <cstdlib>
#include <utility>

namespace gensyn::twofloat {

namespace {
template <Function F> functions::pair::Attempt<Native> apply(float x) {
  switch (F) {
#define GENSYN_FUNCTION(Stem, name)                                            \
  case Function::Stem:                                                         \
    return functions::pair::name(Native(), x);
#include "gensyn/Numerics/Functions.def"
  }
  std::abort();
}

using Loop = void (*)(const float *x, float *y, uint32_t *unsure, int64_t n);
using Loops = std::array<Loop, kNumFunctions>;
using Indices = std::make_integer_sequence<int, kNumFunctions>;

#define GENSYN_TWO_FLOAT_LOOPS(name, attributes)                               \
  template <Function F>                                                        \
  attributes void name##Loop(const float *x, float *y, uint32_t *unsure,       \
                             int64_t n) {                                      \
    for (int64_t i = 0; i < n; ++i) {                                          \
      const auto attempt = apply<F>(x[i]);                                     \
      y[i] = attempt.y;                                                        \
      unsure[i] = attempt.unsure;                                              \
    }                                                                          \
  }                                                                            \
  template <int... F>                                                          \
  constexpr Loops name##Table(std::integer_sequence<int, F...>) {              \
    return {name##Loop<static_cast<Function>(F)>...};                          \
  }                                                                            \
  constexpr Loops name = name##Table(Indices());

GENSYN_TWO_FLOAT_LOOPS(kBaseline, )
#if defined(__x86_64__)
GENSYN_TWO_FLOAT_LOOPS(kAvx512,
                       __attribute__((flatten,
                                      target("avx512f,avx512dq,avx512vl,fma"))))
#endif

const Loops &chooseLoops() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return kAvx512;
#endif
  return kBaseline;
}
} // namespace

void attempt(Function function, const float *x, float *y, uint32_t *unsure,
             int64_t n) {
  static const Loops &loops = chooseLoops();
  loops[static_cast<size_t>(function)](x, y, unsure, n);
}

} // namespace gensyn::twofloat
