// See TwoFloat.h. Loops as in lib/Numerics/Evaluate.cpp.

#include "TwoFloat.h"

#include "gensyn/Numerics/NativeTwoFloat.h"

#include <array>
#include <utility>

namespace gensyn::twofloat {

namespace {
/// Flattened too, since that only reaches the calls in a function itself.
template <Function F>
__attribute__((flatten)) void apply(float x, float &y, uint32_t &unsure) {
  switch (F) {
#define GENSYN_FUNCTION(Stem, name)                                            \
  case Function::Stem: {                                                       \
    const auto attempt = functions::pair::name(Native(), x);                   \
    y = attempt.y;                                                             \
    unsure = attempt.unsure;                                                   \
    return;                                                                    \
  }
#include "gensyn/Numerics/Functions.def"
  }
}

using Loop = void (*)(const float *x, float *y, uint32_t *unsure, int64_t n);
using Loops = std::array<Loop, kNumFunctions>;
using Indices = std::make_integer_sequence<int, kNumFunctions>;

#define GENSYN_TWO_FLOAT_LOOPS(name, attributes)                               \
  template <Function F>                                                        \
  attributes void name##Loop(const float *__restrict x, float *__restrict y,   \
                             uint32_t *__restrict unsure, int64_t n) {         \
    for (int64_t i = 0; i < n; ++i)                                            \
      apply<F>(x[i], y[i], unsure[i]);                                         \
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
