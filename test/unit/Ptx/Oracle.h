// Results of rounded arithmetic, computed by MPFR.

#ifndef GENSYN_TEST_UNIT_PTX_ORACLE_H
#define GENSYN_TEST_UNIT_PTX_ORACLE_H

#ifdef GENSYN_HAVE_MPFR

#include "Simulator/RoundPack.h"

#include <mpfr.h>

#include <cstdlib>

namespace gensyn::ptx::test {

inline mpfr_rnd_t mpfrRounding(Rounding rounding) {
  switch (rounding) {
  case Rounding::Rz:
    return MPFR_RNDZ;
  case Rounding::Rm:
    return MPFR_RNDD;
  case Rounding::Rp:
    return MPFR_RNDU;
  default:
    return MPFR_RNDN;
  }
}

/// Converts between a number of a binary format with infinities and MPFR.
class Number {
public:
  explicit Number(mpfr_prec_t precision = 64) { mpfr_init2(value, precision); }
  Number(const Number &) = delete;
  Number &operator=(const Number &) = delete;
  ~Number() { mpfr_clear(value); }

  void set(uint64_t bits, const FloatFormat &format) {
    uint64_t one = uint64_t(1) << format.mantissa;
    bool negative = (bits >> (format.width - 1) & 1) != 0;
    uint64_t magnitude = bits & ((uint64_t(1) << (format.width - 1)) - 1);
    uint64_t field = magnitude / one, fraction = magnitude % one;
    int sign = negative ? -1 : 1;
    if (magnitude > format.largest + 1)
      return mpfr_set_nan(value);
    if (magnitude == format.largest + 1)
      return mpfr_set_inf(value, sign);
    if (magnitude == 0)
      return mpfr_set_zero(value, sign);
    long exponent = static_cast<long>(field == 0 ? 1 : field) - format.bias -
                    static_cast<long>(format.mantissa);
    mpfr_set_ui_2exp(value, field == 0 ? fraction : one + fraction, exponent,
                     MPFR_RNDN);
    if (negative)
      mpfr_neg(value, value, MPFR_RNDN);
  }

  /// The pattern of a value that the format can represent.
  uint64_t bits(const FloatFormat &format) const {
    uint64_t one = uint64_t(1) << format.mantissa;
    uint64_t sign = uint64_t(mpfr_signbit(value) != 0) << (format.width - 1);
    if (mpfr_nan_p(value))
      return format.nan;
    if (mpfr_inf_p(value))
      return sign | (format.largest + 1);
    if (mpfr_zero_p(value))
      return sign;
    mpfr_t integer;
    mpfr_init2(integer, 64);
    long exponent = mpfr_get_exp(value) - 1; // the leading bit's
    long lowest = 1 - format.bias;
    long last = std::max(exponent, lowest) - static_cast<long>(format.mantissa);
    mpfr_mul_2si(integer, value, -last, MPFR_RNDN);
    mpfr_abs(integer, integer, MPFR_RNDN);
    uint64_t significand = mpfr_get_ui(integer, MPFR_RNDN);
    mpfr_clear(integer);
    if (significand < one)
      return sign | significand;
    auto field = static_cast<uint64_t>(exponent + format.bias);
    return sign | field << format.mantissa | (significand - one);
  }

  mpfr_t value;
};

/// One operation on patterns of a format; `symbol` is one of + - * / and
/// f (fma), s (square root), r (reciprocal), c (conversion from `source`).
inline uint64_t oracle(char symbol, const FloatFormat &format,
                       Rounding rounding, uint64_t a, uint64_t b = 0,
                       uint64_t c = 0, const FloatFormat *source = nullptr) {
  mpfr_rnd_t direction = mpfrRounding(rounding);
  Number x, y, z;
  x.set(a, source ? *source : format);
  y.set(b, format);
  z.set(c, format);
  long emin = 2 - format.bias - static_cast<long>(format.mantissa);
  mpfr_set_emin(emin);
  mpfr_set_emax(format.bias + 1);
  Number result(static_cast<mpfr_prec_t>(format.mantissa + 1));
  int ternary = 0;
  switch (symbol) {
  case '+':
    ternary = mpfr_add(result.value, x.value, y.value, direction);
    break;
  case '-':
    ternary = mpfr_sub(result.value, x.value, y.value, direction);
    break;
  case '*':
    ternary = mpfr_mul(result.value, x.value, y.value, direction);
    break;
  case '/':
    ternary = mpfr_div(result.value, x.value, y.value, direction);
    break;
  case 'f':
    ternary = mpfr_fma(result.value, x.value, y.value, z.value, direction);
    break;
  case 's':
    ternary = mpfr_sqrt(result.value, x.value, direction);
    break;
  case 'r':
    ternary = mpfr_ui_div(result.value, 1, x.value, direction);
    break;
  default:
    ternary = mpfr_set(result.value, x.value, direction);
    ternary = mpfr_check_range(result.value, ternary, direction);
    break;
  }
  mpfr_subnormalize(result.value, ternary, direction);
  uint64_t bits = result.bits(format);
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  return bits;
}

} // namespace gensyn::ptx::test

#endif // GENSYN_HAVE_MPFR
#endif // GENSYN_TEST_UNIT_PTX_ORACLE_H
