// LLVM libc and MPFR as oracles; see Independent.h.

#include "Independent.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#ifdef GENSYN_LLVM_LIBC_NAMESPACE
// The library installs no headers for its internal names, which do not clash
// with those of the C library.
namespace GENSYN_LLVM_LIBC_NAMESPACE {
float expf(float);
float expm1f(float);
float logf(float);
float log1pf(float);
float sinf(float);
float cosf(float);
float tanf(float);
float asinf(float);
float acosf(float);
float atanf(float);
float sinhf(float);
float coshf(float);
float tanhf(float);
float asinhf(float);
float acoshf(float);
float atanhf(float);
float erff(float);
float powf(float, float);
} // namespace GENSYN_LLVM_LIBC_NAMESPACE
#endif

#ifdef GENSYN_HAVE_MPFR
#include <mpfr.h>
#endif

namespace gensyn::independent {

#define GENSYN_FOR_EACH(X)                                                     \
  X(exp)                                                                       \
  X(expm1)                                                                     \
  X(log)                                                                       \
  X(log1p)                                                                     \
  X(sin)                                                                       \
  X(cos)                                                                       \
  X(tan)                                                                       \
  X(asin)                                                                      \
  X(acos)                                                                      \
  X(atan)                                                                      \
  X(sinh)                                                                      \
  X(cosh)                                                                      \
  X(tanh)                                                                      \
  X(asinh)                                                                     \
  X(acosh)                                                                     \
  X(atanh)                                                                     \
  X(erf)

Unary llvmUnary(std::string_view name) {
#ifdef GENSYN_LLVM_LIBC_NAMESPACE
#define GENSYN_CASE(function)                                                  \
  if (name == #function)                                                       \
    return GENSYN_LLVM_LIBC_NAMESPACE::function##f;
  GENSYN_FOR_EACH(GENSYN_CASE)
#undef GENSYN_CASE
#endif
  return nullptr;
}

Binary llvmPow() {
#ifdef GENSYN_LLVM_LIBC_NAMESPACE
  return GENSYN_LLVM_LIBC_NAMESPACE::powf;
#else
  return nullptr;
#endif
}

#ifdef GENSYN_HAVE_MPFR

struct Exact {
  std::string_view name;
  void (*run)(mpfr_ptr, mpfr_srcptr);
};

namespace {
/// Decides nearly always.
constexpr mpfr_prec_t kQuick = 96;
/// Decides the rest. Where a series begins with x or 1, the next term is at
/// least 2^-298 of it; a power that lies on a boundary has 25 bits and is
/// exact.
constexpr mpfr_prec_t kPrecision = 640;

void sigmoid(mpfr_ptr y, mpfr_srcptr x) {
  mpfr_neg(y, x, MPFR_RNDN);
  mpfr_exp(y, y, MPFR_RNDN);
  mpfr_add_ui(y, y, 1, MPFR_RNDN);
  mpfr_ui_div(y, 1, y, MPFR_RNDN);
}

constexpr Exact kExact[] = {
#define GENSYN_EXACT(f)                                                        \
  {#f, [](mpfr_ptr y, mpfr_srcptr x) { mpfr_##f(y, x, MPFR_RNDN); }},
    GENSYN_FOR_EACH(GENSYN_EXACT)
#undef GENSYN_EXACT
        {"sigmoid", sigmoid}};

/// Two arguments, a result and its bounds, allocated once per thread.
struct Values {
  mpfr_t x, y, z, bound, error;
  Values() {
    mpfr_inits2(53, x, y, nullptr);
    mpfr_inits2(kQuick, z, bound, error, nullptr);
  }
  ~Values() { mpfr_clears(x, y, z, bound, error, nullptr); }
};
Values &values() {
  static thread_local Values all;
  return all;
}

uint32_t bitsOf(float y) {
  return y != y ? 0x7FC00000u : std::bit_cast<uint32_t>(y);
}

/// The f32 nearest to the result of `run` in v.z, whatever its precision.
template <class Run> uint32_t nearest(Values &v, Run &&run) {
  mpfr_set_prec(v.z, kQuick);
  run(v.z);
  mpfr_div_2ui(v.error, v.z, kQuick - 8, MPFR_RNDN);
  mpfr_sub(v.bound, v.z, v.error, MPFR_RNDN);
  const uint32_t below = bitsOf(mpfr_get_flt(v.bound, MPFR_RNDN));
  mpfr_add(v.bound, v.z, v.error, MPFR_RNDN);
  if (bitsOf(mpfr_get_flt(v.bound, MPFR_RNDN)) == below)
    return below;
  mpfr_set_prec(v.z, kPrecision);
  run(v.z);
  return bitsOf(mpfr_get_flt(v.z, MPFR_RNDN));
}
} // namespace

bool haveMpfr() { return true; }

const Exact *exactUnary(std::string_view name) {
  for (const Exact &one : kExact)
    if (one.name == name)
      return &one;
  return nullptr;
}

uint32_t roundExact(const Exact &function, float x) {
  Values &v = values();
  mpfr_set_flt(v.x, x, MPFR_RNDN);
  return nearest(v, [&](mpfr_ptr z) { function.run(z, v.x); });
}

uint32_t roundExactPow(float x, float y) {
  Values &v = values();
  mpfr_set_flt(v.x, x, MPFR_RNDN);
  mpfr_set_flt(v.y, y, MPFR_RNDN);
  return nearest(v, [&](mpfr_ptr z) { mpfr_pow(z, v.x, v.y, MPFR_RNDN); });
}

double errorInUlp(std::string_view name, double x, double y) {
  const Exact *function = exactUnary(name);
  if (!function)
    std::abort();
  Values &v = values();
  mpfr_set_d(v.x, x, MPFR_RNDN);
  mpfr_set_prec(v.z, kQuick);
  function->run(v.z, v.x);
  const double rounded = mpfr_get_d(v.z, MPFR_RNDN);
  double error = 0;
  if (std::isnan(rounded) || std::isinf(rounded) || rounded == 0)
    error = std::bit_cast<uint64_t>(rounded) == std::bit_cast<uint64_t>(y) ||
                    (rounded != rounded && y != y)
                ? 0
                : INFINITY;
  else {
    int exponent;
    std::frexp(rounded, &exponent);
    mpfr_sub_d(v.z, v.z, y, MPFR_RNDN);
    mpfr_mul_2si(v.z, v.z, -std::max(exponent - 53, -1074), MPFR_RNDN);
    error = std::fabs(mpfr_get_d(v.z, MPFR_RNDN));
  }
  return error;
}

#else

struct Exact {};
bool haveMpfr() { return false; }
const Exact *exactUnary(std::string_view) { return nullptr; }
uint32_t roundExact(const Exact &, float) { std::abort(); }
uint32_t roundExactPow(float, float) { std::abort(); }
double errorInUlp(std::string_view, double, double) { std::abort(); }

#endif

} // namespace gensyn::independent
