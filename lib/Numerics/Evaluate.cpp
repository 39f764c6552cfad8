// Evaluates the functions over arrays. The loop is compiled for three
// instruction sets; the bits cannot differ, because every operation in it is
// correctly rounded.

#include "gensyn/Numerics/Evaluate.h"

#include "gensyn/Numerics/Functions.h"
#include "gensyn/Numerics/Native.h"

#include <array>
#include <cstdlib>
#include <utility>

namespace gensyn {

namespace {
constexpr std::string_view kFunctionNames[kNumFunctions] = {
#define GENSYN_FUNCTION(Stem, name) #name,
#include "gensyn/Numerics/Functions.def"
};

/// Splits chains: a CPU's scheduler holds only a few long ones.
struct Batch : Native {
  static constexpr bool kSplitChains = true;
};

/// Shortens polynomials by tables.
struct TableBatch : Batch {
  static constexpr bool kTables = true;
  static I64 lookup(const uint64_t (&table)[16], I64 i) {
    return table[i % 16];
  }
  static F32 computed(F32 y) { return functions::canonicalNan(Batch(), y, y); }
};
static_assert(functions::TableArithmetic<TableBatch>);

template <class Policy, Function F> float apply(float x) {
  constexpr Policy a;
  switch (F) {
#define GENSYN_FUNCTION(Stem, name)                                            \
  case Function::Stem:                                                         \
    return functions::name(a, x);
#include "gensyn/Numerics/Functions.def"
  }
  std::abort();
}

using Loop = void (*)(const float *x, float *y, int64_t n);
using Loops = std::array<Loop, kNumFunctions>;
using Indices = std::make_integer_sequence<int, kNumFunctions>;

/// One table of loops per instruction set. `flatten` inlines all callees of a
/// loop into it, where fma is then one instruction.
#define GENSYN_LOOPS(name, Policy, attributes)                                 \
  template <Function F>                                                        \
  attributes void name##Loop(const float *x, float *y, int64_t n) {            \
    for (int64_t i = 0; i < n; ++i)                                            \
      y[i] = apply<Policy, F>(x[i]);                                           \
  }                                                                            \
  template <int... F>                                                          \
  constexpr Loops name##Table(std::integer_sequence<int, F...>) {              \
    return {name##Loop<static_cast<Function>(F)>...};                          \
  }                                                                            \
  constexpr Loops name = name##Table(Indices());

#define GENSYN_AVX2 __attribute__((flatten, target("avx2,fma")))
#define GENSYN_AVX512                                                          \
  __attribute__((flatten, target("avx512f,avx512dq,avx512vl,fma")))
GENSYN_LOOPS(kBaseline, Batch, )
GENSYN_LOOPS(kBaselineTables, TableBatch, )
#if defined(__x86_64__)
GENSYN_LOOPS(kAvx2, Batch, GENSYN_AVX2)
GENSYN_LOOPS(kAvx2Tables, TableBatch, GENSYN_AVX2)
GENSYN_LOOPS(kAvx512, Batch, GENSYN_AVX512)
GENSYN_LOOPS(kAvx512Tables, TableBatch, GENSYN_AVX512)
#endif

const Loops &chooseLoops(Method method) {
  const bool tables = method == Method::Tables;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return tables ? kAvx512Tables : kAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return tables ? kAvx2Tables : kAvx2;
#endif
  return tables ? kBaselineTables : kBaseline;
}
} // namespace

std::string_view name(Function function) {
  return kFunctionNames[static_cast<int>(function)];
}

std::optional<Function> functionFromName(std::string_view name) {
  for (int i = 0; i < kNumFunctions; ++i)
    if (kFunctionNames[i] == name)
      return static_cast<Function>(i);
  return std::nullopt;
}

void evaluate(Function function, const float *x, float *y, int64_t n,
              Method method) {
  static const Loops *loops[] = {&chooseLoops(Method::Polynomials),
                                 &chooseLoops(Method::Tables)};
  (*loops[static_cast<size_t>(method)])[static_cast<size_t>(function)](x, y, n);
}

} // namespace gensyn
