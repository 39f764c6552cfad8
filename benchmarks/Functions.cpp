// The correctly rounded functions, as the compiler emits them, against glibc's
// vector functions of the same width (libmvec, with errors of up to 4 ulp), and
// against a copy of arrays from memory. One thread, alternating in one process,
// so that other work on the machine affects both; the best processor time of
// many runs counts.
//
//   gensyn-bench-functions [repetitions] [instruction set] [function ...]
//
// Ends with 1 where a function takes longer, relative to libmvec, than
// docs/Performance.md promises.

#include "KernelRunner.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <random>

using gensyn::Tensor;
using namespace gensyn::cpu;

namespace {

using Loop = void (*)(const float *x, float *y, int64_t n);

struct Case {
  const char *name;
  Loop wide, narrow; ///< libmvec's, 16 and 8 elements at a time
  double promised;   ///< our time in L2 over libmvec's, AVX-512, at most
  float low, high;   ///< arguments
};

#define GENSYN_WIDE __attribute__((target("avx512f,avx512dq,avx512vl")))
#define GENSYN_NARROW __attribute__((target("avx2,fma")))

/// `name`Wide and `name`Narrow: y = expression of v, with f16 or f8 being the
/// library's function `used` on 16 or 8 elements.
#define GENSYN_LIBRARY(used)                                                   \
  extern "C" GENSYN_WIDE __m512 _ZGVeN16v_##used##f(__m512);                   \
  extern "C" GENSYN_NARROW __m256 _ZGVdN8v_##used##f(__m256);
#define GENSYN_LOOPS(name, wide, narrow)                                       \
  GENSYN_WIDE void name##Wide(const float *x, float *y, int64_t n) {           \
    for (int64_t i = 0; i < n; i += 16) {                                      \
      const __m512 v = _mm512_loadu_ps(x + i);                                 \
      _mm512_storeu_ps(y + i, wide);                                           \
    }                                                                          \
  }                                                                            \
  GENSYN_NARROW void name##Narrow(const float *x, float *y, int64_t n) {       \
    for (int64_t i = 0; i < n; i += 8) {                                       \
      const __m256 v = _mm256_loadu_ps(x + i);                                 \
      _mm256_storeu_ps(y + i, narrow);                                         \
    }                                                                          \
  }
#define GENSYN_SAME(name)                                                      \
  GENSYN_LIBRARY(name)                                                         \
  GENSYN_LOOPS(name, _ZGVeN16v_##name##f(v), _ZGVdN8v_##name##f(v))
GENSYN_SAME(exp)
GENSYN_SAME(expm1)
GENSYN_SAME(log)
GENSYN_SAME(log1p)
GENSYN_SAME(sin)
GENSYN_SAME(cos)
GENSYN_SAME(tan)
GENSYN_SAME(asin)
GENSYN_SAME(acos)
GENSYN_SAME(atan)
GENSYN_SAME(sinh)
GENSYN_SAME(cosh)
GENSYN_SAME(tanh)
GENSYN_SAME(asinh)
GENSYN_SAME(acosh)
GENSYN_SAME(atanh)
GENSYN_SAME(erf)
GENSYN_LOOPS(
    sigmoid,
    _mm512_div_ps(
        _mm512_set1_ps(1),
        _mm512_add_ps(_mm512_set1_ps(1),
                      _ZGVeN16v_expf(_mm512_sub_ps(_mm512_setzero_ps(), v)))),
    _mm256_div_ps(_mm256_set1_ps(1),
                  _mm256_add_ps(_mm256_set1_ps(1),
                                _ZGVdN8v_expf(_mm256_sub_ps(_mm256_setzero_ps(),
                                                            v)))))

// Two arguments; the second is a constant here, which neither implementation
// exploits.
constexpr float kExponent = 1.7f;
extern "C" GENSYN_WIDE __m512 _ZGVeN16vv_powf(__m512, __m512);
extern "C" GENSYN_NARROW __m256 _ZGVdN8vv_powf(__m256, __m256);
GENSYN_LOOPS(pow, _ZGVeN16vv_powf(v, _mm512_set1_ps(kExponent)),
             _ZGVdN8vv_powf(v, _mm256_set1_ps(kExponent)))

#define GENSYN_CASE(name, ...) {#name, name##Wide, name##Narrow, __VA_ARGS__}
constexpr Case kCases[] = {
    GENSYN_CASE(exp, 2.1, -8, 8),
    GENSYN_CASE(expm1, 2.1, -8, 8),
    GENSYN_CASE(log, 3.9, 1e-3f, 8),
    GENSYN_CASE(log1p, 2.8, -0.9f, 8),
    GENSYN_CASE(sin, 3.4, -1000, 1000),
    GENSYN_CASE(cos, 3.5, -1000, 1000),
    GENSYN_CASE(tan, 4.5, -1000, 1000),
    GENSYN_CASE(asin, 2.0, -0.99f, 0.99f),
    GENSYN_CASE(acos, 2.0, -0.99f, 0.99f),
    GENSYN_CASE(atan, 2.6, -8, 8),
    GENSYN_CASE(sinh, 2.2, -8, 8),
    GENSYN_CASE(cosh, 2.2, -8, 8),
    GENSYN_CASE(tanh, 3.0, -8, 8),
    GENSYN_CASE(asinh, 3.5, -8, 8),
    GENSYN_CASE(acosh, 2.4, 1, 8),
    GENSYN_CASE(atanh, 2.5, -0.99f, 0.99f),
    GENSYN_CASE(sigmoid, 1.6, -8, 8),
    GENSYN_CASE(erf, 1.4, -8, 8),
    GENSYN_CASE(pow, 5.5, 1e-3f, 8),
};

/// Nanoseconds per element of our kernel and of another loop, over n elements,
/// `inner` times in a row.
std::pair<double, double> race(const Settings &settings, const Case &one,
                               int64_t n, int inner, Loop other) {
  const std::string type = "tensor<" + std::to_string(n) + "xf32>";
  std::string op = std::string("  %y = repro.") + one.name + " %x";
  if (one.name == std::string("pow"))
    op = "  %e = repro.constant dense<" + std::to_string(kExponent) +
         "> : " + type + "\n" + op + ", %e";
  KernelRunner runner("func.func @f(%x: " + type + ") -> " + type + " {\n" +
                      op + " : " + type + "\n  return %y : " + type + "\n}\n");
  runner.compile(settings.target);
  std::vector<Tensor> inputs = runner.makeInputs();
  std::vector<Tensor> outputs = runner.makeOutputs();
  std::mt19937 random(1);
  std::uniform_real_distribution<float> draw(one.low, one.high);
  float *x = inputs[0].as<float>();
  std::generate_n(x, n, [&] { return draw(random); });
  std::vector<float> result(static_cast<size_t>(n));

  std::pair<double, double> best(1e30, 1e30);
  const double elements = static_cast<double>(n) * inner;
  for (int r = 0; r < settings.repetitions; ++r) {
    best.first = std::min(best.first, processorSeconds([&] {
                            for (int i = 0; i < inner; ++i)
                              runner.run(inputs, outputs);
                          }));
    best.second = std::min(best.second, processorSeconds([&] {
                             for (int i = 0; i < inner; ++i)
                               other(x, result.data(), n);
                           }));
  }
  return {best.first * 1e9 / elements, best.second * 1e9 / elements};
}

void copy(const float *x, float *y, int64_t n) {
  std::memcpy(y, x, static_cast<size_t>(n) * sizeof(float));
}
} // namespace

int main(int argc, char **argv) {
  const Settings settings(argc, argv);
  const bool wide = settings.target == "x86-64-v4";
  std::printf("%s, one thread, best of %d; ns an element\n\n"
              "| function | ours, L2 | libmvec | ratio | ours, memory | copy | "
              "ratio |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
              settings.target.c_str(), settings.repetitions);
  bool good = true;
  for (const Case &one : kCases) {
    if (argc > 3 && std::none_of(argv + 3, argv + argc, [&](const char *name) {
          return std::strcmp(name, one.name) == 0;
        }))
      continue;
    // Both arrays fit in L2, and a run is long compared with its start-up.
    const auto [ours, theirs] =
        race(settings, one, 1 << 16, 4, wide ? one.wide : one.narrow);
    Settings fewer = settings;
    fewer.repetitions = std::max(1, settings.repetitions / 8);
    const auto [memory, plain] = race(fewer, one, 1 << 24, 1, copy);
    std::printf("| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", one.name,
                ours, theirs, ours / theirs, memory, plain, memory / plain);
    std::fflush(stdout);
    good = good && (!wide || ours / theirs <= one.promised);
  }
  return good ? 0 : 1;
}
