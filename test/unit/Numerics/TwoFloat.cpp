// See TwoFloat.h. Loops as in lib/Numerics/Evaluate.cpp.

#include "TwoFloat.h"

#include "gensyn/Numerics/NativeTwoFloat.h"

#include <array>
#include <cstdlib>
#include <utility>

namespace gensyn::twofloat {

namespace {
/// Flattened too, since that only reaches the calls in a function itself.
template <Function F, Way way>
__attribute__((flatten)) void apply(float x, float &y, uint32_t &unsure) {
  auto take = [&](const auto &attempt) {
    y = attempt.y;
    unsure = attempt.unsure;
  };
  if constexpr (way != Way::Plain) {
    constexpr NativeWordTables<way == Way::Octets ? 8 : 32> tables;
    switch (F) {
#define GENSYN_FUNCTION(Stem, name)                                            \
  case Function::Stem:                                                         \
    return take(functions::pair::name(tables, x));
#include "gensyn/Numerics/Functions/WordTables.def"
    default:
      return;
    }
  } else {
    switch (F) {
#define GENSYN_FUNCTION(Stem, name)                                            \
  case Function::Stem:                                                         \
    return take(functions::pair::name(Native(), x));
#include "gensyn/Numerics/Functions.def"
    }
  }
}

using Loop = void (*)(const float *x, float *y, uint32_t *unsure, int64_t n);
using Loops = std::array<Loop, kNumFunctions>;
using Indices = std::make_integer_sequence<int, kNumFunctions>;

#define GENSYN_TWO_FLOAT_LOOPS(name, attributes)                               \
  template <Function F, Way way>                                               \
  attributes void name##Loop(const float *__restrict x, float *__restrict y,   \
                             uint32_t *__restrict unsure, int64_t n) {         \
    for (int64_t i = 0; i < n; ++i)                                            \
      apply<F, way>(x[i], y[i], unsure[i]);                                    \
  }                                                                            \
  template <Way way, int... F>                                                 \
  constexpr Loops name##Table(std::integer_sequence<int, F...>) {              \
    return {name##Loop<static_cast<Function>(F), way>...};                     \
  }                                                                            \
  constexpr Loops name[] = {name##Table<Way::Plain>(Indices()),                \
                            name##Table<Way::Octets>(Indices()),               \
                            name##Table<Way::Tables>(Indices())};

GENSYN_TWO_FLOAT_LOOPS(kBaseline, )
#if defined(__x86_64__)
GENSYN_TWO_FLOAT_LOOPS(kAvx512,
                       __attribute__((flatten,
                                      target("avx512f,avx512dq,avx512vl,fma"))))
#endif

const Loops *chooseLoops() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return kAvx512;
#endif
  return kBaseline;
}
} // namespace

bool has(Function function, Way way) {
  if (way == Way::Plain)
    return true;
  switch (function) {
#define GENSYN_FUNCTION(Stem, name) case Function::Stem:
#include "gensyn/Numerics/Functions/WordTables.def"
    return true;
  default:
    return false;
  }
}

void attempt(Function function, Way way, const float *x, float *y,
             uint32_t *unsure, int64_t n) {
  static const Loops *loops = chooseLoops();
  loops[static_cast<size_t>(way)][static_cast<size_t>(function)](x, y, unsure,
                                                                 n);
}

const char *name(Way way) {
  return way == Way::Plain ? "" : way == Way::Octets ? "Octets" : "Tables";
}

template <class Policy> static float byTables(Function function, float x) {
  switch (function) {
#define GENSYN_FUNCTION(Stem, name)                                            \
  case Function::Stem:                                                         \
    return functions::dispatched::name(Policy(), x);
#include "gensyn/Numerics/Functions/WordTables.def"
  default:
    std::abort();
  }
}

float one(Function function, Way way, float x) {
  if (way != Way::Plain)
    return way == Way::Octets ? byTables<NativeWordTables<8>>(function, x)
                              : byTables<NativeWordTables<32>>(function, x);
  switch (function) {
#define GENSYN_FUNCTION(Stem, name)                                            \
  case Function::Stem:                                                         \
    return functions::dispatched::name(NativeTwoFloat(), x);
#include "gensyn/Numerics/Functions.def"
  }
  std::abort();
}

} // namespace gensyn::twofloat
