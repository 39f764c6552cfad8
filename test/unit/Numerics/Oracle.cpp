// The oracle by the C library's f64 and 113-bit functions.

#include "Oracle.h"

#include <bit>
#include <cfloat>
#include <cmath>

// Where long double is not the 113-bit type, the C library has one more set of
// functions for it; its C++ headers do not declare them for every compiler.
#if LDBL_MANT_DIG == 113
using Quad = long double;
#define QUAD(name) name##l
#else
using Quad = __float128;
#define QUAD(name) name##f128
extern "C" {
Quad expf128(Quad) noexcept;
Quad expm1f128(Quad) noexcept;
Quad logf128(Quad) noexcept;
Quad log1pf128(Quad) noexcept;
Quad tanhf128(Quad) noexcept;
Quad erff128(Quad) noexcept;
}
#endif

namespace gensyn::oracle {

namespace {
double inF64(Function function, double x) {
  switch (function) {
  case Function::Exp:
    return std::exp(x);
  case Function::Expm1:
    return std::expm1(x);
  case Function::Log:
    return std::log(x);
  case Function::Log1p:
    return std::log1p(x);
  case Function::Tanh:
    return std::tanh(x);
  case Function::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case Function::Erf:
    break;
  }
  return std::erf(x);
}

Quad inQuad(Function function, Quad x) {
  switch (function) {
  case Function::Exp:
    return QUAD(exp)(x);
  case Function::Expm1:
    return QUAD(expm1)(x);
  case Function::Log:
    return QUAD(log)(x);
  case Function::Log1p:
    return QUAD(log1p)(x);
  case Function::Tanh:
    return QUAD(tanh)(x);
  case Function::Sigmoid:
    return 1 / (1 + QUAD(exp)(-x));
  case Function::Erf:
    break;
  }
  return QUAD(erf)(x);
}

uint32_t bitsOf(float x) {
  return x != x ? 0x7FC00000u : std::bit_cast<uint32_t>(x);
}

/// Whether y decides the rounding although it is wrong by up to 2^-bound of
/// itself.
template <class T> bool decides(T y, int bound) {
  const T e = y * static_cast<T>(std::ldexp(1.0, -bound));
  return static_cast<float>(y - e) == static_cast<float>(y + e);
}
} // namespace

Answer answer(Function function, float x) {
  const double y = inF64(function, x);
  // 2^-48 is about 16 ulp of f64; the library promises less than 4.
  if (y != y || std::isinf(y) || decides(y, 48))
    return {bitsOf(static_cast<float>(y)), false, 0};
  const Quad q = inQuad(function, x);
  int closeness = 48;
  while (closeness < 104 && !decides(q, closeness))
    ++closeness;
  return {bitsOf(static_cast<float>(q)), closeness == 104, closeness};
}

} // namespace gensyn::oracle
