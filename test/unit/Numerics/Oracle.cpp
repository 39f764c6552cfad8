// The oracle based on the C library's f64 and 113-bit functions.

#include "Oracle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdlib>

// If long double is not the 113-bit type, the C library has another set of
// functions for it, which its C++ headers do not declare for every compiler.
#if LDBL_MANT_DIG == 113
using Quad = long double;
#define QUAD(name) name##l
#else
using Quad = __float128;
#define QUAD(name) name##f128
#define GENSYN_QUAD(name) Quad name##f128(Quad) noexcept;
extern "C" {
GENSYN_QUAD(exp)
GENSYN_QUAD(expm1)
GENSYN_QUAD(log)
GENSYN_QUAD(log1p)
GENSYN_QUAD(sin)
GENSYN_QUAD(cos)
GENSYN_QUAD(tan)
GENSYN_QUAD(asin)
GENSYN_QUAD(acos)
GENSYN_QUAD(atan)
GENSYN_QUAD(sinh)
GENSYN_QUAD(cosh)
GENSYN_QUAD(tanh)
GENSYN_QUAD(asinh)
GENSYN_QUAD(acosh)
GENSYN_QUAD(atanh)
GENSYN_QUAD(erf)
Quad powf128(Quad, Quad) noexcept;
}
#undef GENSYN_QUAD
#endif

namespace gensyn::oracle {

namespace {
/// A function of the real numbers in two precisions. Listed by name, so that
/// the list may be longer than the set of functions under test.
struct Reference {
  std::string_view name;
  double (*inF64)(double);
  Quad (*inQuad)(Quad);
};

#define GENSYN_REFERENCE(f)                                                    \
  {#f, [](double x) { return std::f(x); }, [](Quad x) { return QUAD(f)(x); }}
constexpr Reference kReferences[] = {
    GENSYN_REFERENCE(exp),
    GENSYN_REFERENCE(expm1),
    GENSYN_REFERENCE(log),
    GENSYN_REFERENCE(log1p),
    GENSYN_REFERENCE(sin),
    GENSYN_REFERENCE(cos),
    GENSYN_REFERENCE(tan),
    GENSYN_REFERENCE(asin),
    GENSYN_REFERENCE(acos),
    GENSYN_REFERENCE(atan),
    GENSYN_REFERENCE(sinh),
    GENSYN_REFERENCE(cosh),
    GENSYN_REFERENCE(tanh),
    GENSYN_REFERENCE(asinh),
    GENSYN_REFERENCE(acosh),
    GENSYN_REFERENCE(atanh),
    GENSYN_REFERENCE(erf),
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); },
     [](Quad x) -> Quad { return 1 / (1 + QUAD(exp)(-x)); }},
};
#undef GENSYN_REFERENCE

const Reference &reference(Function function) {
  static const auto table = [] {
    std::array<const Reference *, kNumFunctions> all{};
    for (int i = 0; i < kNumFunctions; ++i)
      for (const Reference &one : kReferences)
        if (one.name == name(static_cast<Function>(i)))
          all[static_cast<size_t>(i)] = &one;
    return all;
  }();
  const Reference *found = table[static_cast<size_t>(function)];
  if (!found)
    std::abort(); // a function that the oracle does not have
  return *found;
}

uint32_t bitsOf(float x) {
  return x != x ? 0x7FC00000u : std::bit_cast<uint32_t>(x);
}

/// True if y decides the rounding even with a relative error of 2^-bound.
template <class T> bool decides(T y, int bound) {
  const T e = y * static_cast<T>(std::ldexp(1.0, -bound));
  return static_cast<float>(y - e) == static_cast<float>(y + e);
}
} // namespace

Answer answer(Function function, float x) {
  const Reference &f = reference(function);
  const double y = f.inF64(x);
  // 2^-48 is about 16 ulp of f64; the library promises less than 4.
  if (y != y || std::isinf(y) || decides(y, 48))
    return {bitsOf(static_cast<float>(y)), false, 0};
  const Quad q = f.inQuad(x);
  int closeness = 48;
  while (closeness < 104 && !decides(q, closeness))
    ++closeness;
  return {bitsOf(static_cast<float>(q)), closeness == 104, closeness};
}

Answer answerPow(float x, float y) {
  const double p = std::pow(static_cast<double>(x), static_cast<double>(y));
  if (p != p || std::isinf(p) || decides(p, 48))
    return {bitsOf(static_cast<float>(p)), false, 0};
  const Quad q = QUAD(pow)(x, y);
  int closeness = 48;
  while (closeness < 104 && !decides(q, closeness))
    ++closeness;
  const auto bits = std::bit_cast<uint64_t>(static_cast<double>(q));
  const bool exact =
      static_cast<double>(q) == q && (bits & ((uint64_t{1} << 28) - 1)) == 0;
  return {bitsOf(static_cast<float>(q)), closeness == 104 && !exact, closeness};
}

double errorInUlp(Function function, double x, double y) {
  const Quad truth = reference(function).inQuad(x);
  const auto rounded = static_cast<double>(truth);
  if (rounded != rounded || std::isinf(rounded))
    return std::bit_cast<uint64_t>(rounded != rounded ? NAN : rounded) ==
                   std::bit_cast<uint64_t>(y)
               ? 0
               : INFINITY;
  int exponent;
  std::frexp(rounded, &exponent);
  const double ulp = std::ldexp(1.0, std::max(exponent - 53, -1074));
  return std::fabs(static_cast<double>((truth - y) / ulp));
}

} // namespace gensyn::oracle
