// f16 and bf16 as storage: bit patterns with exact widening and correctly
// rounded narrowing; see docs/Numerics.md, g4 and convert_r1.

#ifndef GENSYN_NUMERICS_NARROWFLOAT_H
#define GENSYN_NUMERICS_NARROWFLOAT_H

#include <bit>
#include <cstdint>

namespace gensyn {

/// IEEE 754 binary16. Equality compares bits.
struct F16 {
  static constexpr int kExponentBits = 5;
  static constexpr int kMantissaBits = 10;
  static constexpr uint16_t kNan = 0x7E00;
  uint16_t bits = 0;
  bool operator==(const F16 &) const = default;
};

/// bfloat16: the upper half of an f32. Equality compares bits.
struct BF16 {
  static constexpr int kExponentBits = 8;
  static constexpr int kMantissaBits = 7;
  static constexpr uint16_t kNan = 0x7FC0;
  uint16_t bits = 0;
  bool operator==(const BF16 &) const = default;
};

/// The nearest `Narrow`, ties to even; infinity beyond the range, the canonical
/// NaN for any NaN. It rounds once: f64 to f16 does not pass through f32, and
/// an f32 widened to f64 first gives what a direct conversion would.
template <class Narrow> constexpr Narrow narrowTo(double x) {
  constexpr int mantissa = Narrow::kMantissaBits;
  constexpr int bias = (1 << (Narrow::kExponentBits - 1)) - 1;
  constexpr uint64_t infinity = ((1ull << Narrow::kExponentBits) - 1)
                                << mantissa;
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const auto sign = static_cast<uint16_t>(bits >> 63 << 15);
  const uint64_t magnitude = bits & 0x7FFFFFFFFFFFFFFF;
  if (magnitude > 0x7FF0000000000000)
    return {Narrow::kNan};
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent > bias)
    return {static_cast<uint16_t>(sign | infinity)};
  // How many of the 53 significant bits fall off; more for subnormal results.
  const int drop =
      52 - mantissa + (exponent < 1 - bias ? 1 - bias - exponent : 0);
  if (drop > 54)
    return {sign};
  const uint64_t significand = (magnitude & 0xFFFFFFFFFFFFF) | 1ull << 52;
  const uint64_t kept = significand >> drop;
  const uint64_t rest = significand & ((1ull << drop) - 1);
  const uint64_t half = 1ull << (drop - 1);
  const uint64_t up = rest > half || (rest == half && (kept & 1)) ? 1 : 0;
  // A carry out of the significand moves to the next exponent, as it should,
  // up to infinity; `kept` of a normal number still holds the leading one.
  const uint64_t base = exponent < 1 - bias
                            ? 0
                            : static_cast<uint64_t>(exponent + bias - 1)
                                  << mantissa;
  return {static_cast<uint16_t>(sign | (base + kept + up))};
}

/// The value, which f32 always holds; a NaN becomes the canonical f32 NaN.
template <class Narrow> constexpr float widenNarrow(Narrow x) {
  constexpr int mantissa = Narrow::kMantissaBits;
  constexpr int bias = (1 << (Narrow::kExponentBits - 1)) - 1;
  constexpr uint32_t infinity = ((1u << Narrow::kExponentBits) - 1) << mantissa;
  const uint32_t sign = static_cast<uint32_t>(x.bits >> 15) << 31;
  const uint32_t magnitude = x.bits & 0x7FFFu;
  if (magnitude > infinity)
    return std::bit_cast<float>(0x7FC00000u);
  if (magnitude == infinity)
    return std::bit_cast<float>(sign | 0x7F800000u);
  if constexpr (Narrow::kExponentBits == 8) // f32's own exponents
    return std::bit_cast<float>(sign | magnitude << (23 - mantissa));
  if (magnitude >> mantissa ==
      0) { // subnormal: an integer times a power of two
    const float unit = std::bit_cast<float>(
        static_cast<uint32_t>(127 + 1 - bias - mantissa) << 23);
    const float value = static_cast<float>(magnitude) * unit;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(value) | sign);
  }
  return std::bit_cast<float>(sign |
                              ((magnitude << (23 - mantissa)) +
                               (static_cast<uint32_t>(127 - bias) << 23)));
}

} // namespace gensyn

#endif // GENSYN_NUMERICS_NARROWFLOAT_H
