// f16 and bf16: storage formats, converted from and to the wide floats with
// one rounding to nearest even.

#ifndef GENSYN_PTX_LANES_NARROWFLOAT_H
#define GENSYN_PTX_LANES_NARROWFLOAT_H

#include "Lanes.h"

namespace gensyn::ptx::GENSYN_LANES {
namespace {

struct Half {
  uint16_t bits;
};
struct Brain {
  uint16_t bits;
};

template <class D> struct NarrowFormat;
template <> struct NarrowFormat<Half> {
  static constexpr int mantissa = 10, bias = 15;
};
template <> struct NarrowFormat<Brain> {
  static constexpr int mantissa = 7, bias = 127;
};

/// Rounds once, by adding to the integer pattern; where the result is
/// subnormal, by adding a float whose last place is the result's.
template <class D, class F> inline D narrow(F value) {
  using U = Unsigned<F>;
  using Format = NarrowFormat<D>;
  constexpr int mantissa = sizeof(F) == 4 ? 23 : 52;
  constexpr int bias = sizeof(F) == 4 ? 127 : 1023;
  constexpr int shift = mantissa - Format::mantissa;
  constexpr U signBit = U(1) << (8 * sizeof(F) - 1);
  constexpr uint16_t infinity =
      uint16_t((2 * Format::bias + 1) << Format::mantissa);

  U bits = __builtin_bit_cast(U, value);
  auto sign = static_cast<uint16_t>(bits >> (8 * sizeof(F) - 16) & 0x8000);
  U magnitude = bits & ~signBit;

  // Normal: the exponent is rebased, the carry of the rounding may enter it.
  constexpr U rebase = U(bias - Format::bias) << mantissa;
  U odd = magnitude >> shift & 1;
  U rounded = magnitude - rebase + ((U(1) << (shift - 1)) - 1) + odd;
  auto normal = static_cast<uint16_t>(rounded >> shift);

  // Subnormal: exponents 1 and 0 have the same last place. The sum has it too.
  constexpr U firstNormal = U(bias - Format::bias + 1) << mantissa;
  constexpr U magicBits = U(bias - Format::bias + 1 + shift) << mantissa;
  F sum = __builtin_bit_cast(F, magnitude) + __builtin_bit_cast(F, magicBits);
  auto subnormal =
      static_cast<uint16_t>(__builtin_bit_cast(U, sum) - magicBits);

  constexpr U overflow = U(bias + Format::bias + 1) << mantissa;
  constexpr U wideInfinity = U(2 * bias + 1) << mantissa;
  uint16_t result = magnitude < firstNormal ? subnormal : normal;
  result = magnitude >= overflow ? infinity : result;
  result |= sign;
  return {magnitude > wideInfinity ? uint16_t(0x7FFF) : result};
}

/// Exact. A subnormal is a multiple of 2^-24.
inline float halfToFloat(uint16_t half) {
  uint32_t magnitude = half & 0x7FFFu;
  uint32_t sign = uint32_t(half & 0x8000u) << 16;
  uint32_t normal = (magnitude << 13) + (112u << 23);
  float small = static_cast<float>(int32_t(magnitude)) * 0x1p-24f;
  uint32_t result =
      magnitude < 0x0400 ? __builtin_bit_cast(uint32_t, small) : normal;
  result = magnitude >= 0x7C00 ? 0x7F800000u : result;
  result = magnitude > 0x7C00 ? 0x7FFFFFFFu : result;
  return __builtin_bit_cast(float, result | sign);
}

} // namespace
} // namespace gensyn::ptx::GENSYN_LANES

#endif // GENSYN_PTX_LANES_NARROWFLOAT_H
