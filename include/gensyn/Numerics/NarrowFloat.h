// Storage types: floats of 16 bits and less, integers of less than 8. This file
// has their bit patterns; NarrowConvert.h has their conversions. See
// docs/Numerics.md, g1 and g4.

#ifndef GENSYN_NUMERICS_NARROWFLOAT_H
#define GENSYN_NUMERICS_NARROWFLOAT_H

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace gensyn {

/// A binary floating-point format of at most 16 bits: a sign (except for E8M0),
/// then the exponent, then the mantissa, with subnormals (except for E8M0). All
/// conversions are derived from this description.
struct FloatFormat {
  /// The patterns that are not numbers.
  enum class Specials : uint8_t {
    /// The largest exponent: infinities and NaNs, as in IEEE 754.
    Ieee,
    /// All ones except for the sign: NaN. No infinity.
    AllOnes,
    /// The sign alone: NaN. Neither infinity nor -0.
    MinusZero,
    /// All patterns are numbers.
    None,
  };

  int exponentBits, mantissaBits, bias;
  Specials specials;
  /// False for E8M0: without sign and mantissa all numbers are powers of two;
  /// there are no zero and no subnormals.
  bool isSigned = true;

  constexpr bool operator==(const FloatFormat &) const = default;
  constexpr int width() const {
    return exponentBits + mantissaBits + (isSigned ? 1 : 0);
  }
  /// The sign bit, or 0.
  constexpr uint32_t signBit() const {
    return isSigned ? 1u << (width() - 1) : 0;
  }
  /// All bits beside the sign.
  constexpr uint32_t magnitudeBits() const {
    return (1u << (exponentBits + mantissaBits)) - 1;
  }
  constexpr bool hasInfinity() const { return specials == Specials::Ieee; }
  /// The exponent's bits: the pattern of infinity, if there is one.
  constexpr uint32_t exponentMask() const {
    return ((1u << exponentBits) - 1) << mantissaBits;
  }
  /// The result of converting a NaN (g4): the canonical NaN, or -0 if there is
  /// none.
  constexpr uint32_t nan() const {
    switch (specials) {
    case Specials::Ieee:
      return exponentMask() | 1u << (mantissaBits - 1);
    case Specials::AllOnes:
      return magnitudeBits();
    default:
      return signBit();
    }
  }
  /// The largest finite magnitude.
  constexpr uint32_t largest() const {
    switch (specials) {
    case Specials::Ieee:
      return exponentMask() - 1;
    case Specials::AllOnes:
      return magnitudeBits() - 1;
    default:
      return magnitudeBits();
    }
  }
};

/// A pattern of a narrow float, in the low bits of 8 or 16. Equality compares
/// bits.
template <FloatFormat format> struct NarrowFloat {
  static constexpr FloatFormat kFormat = format;
  static constexpr int kExponentBits = format.exponentBits;
  static constexpr int kMantissaBits = format.mantissaBits;
  static constexpr uint16_t kNan = format.nan();
  using Bits = std::conditional_t<format.width() <= 8, uint8_t, uint16_t>;
  Bits bits = 0;
  bool operator==(const NarrowFloat &) const = default;
};

/// IEEE 754 binary16; the upper half of an f32.
using F16 = NarrowFloat<{5, 10, 15, FloatFormat::Specials::Ieee}>;
using BF16 = NarrowFloat<{8, 7, 127, FloatFormat::Specials::Ieee}>;
/// 8 bits: OCP's formats and those of Graphcore and AMD (FNUZ).
using F8E4M3FN = NarrowFloat<{4, 3, 7, FloatFormat::Specials::AllOnes}>;
using F8E4M3FNUZ = NarrowFloat<{4, 3, 8, FloatFormat::Specials::MinusZero}>;
using F8E5M2 = NarrowFloat<{5, 2, 15, FloatFormat::Specials::Ieee}>;
using F8E5M2FNUZ = NarrowFloat<{5, 2, 16, FloatFormat::Specials::MinusZero}>;
/// Scales of the microscaling formats: 2^(bits - 127).
using F8E8M0FNU =
    NarrowFloat<{8, 0, 127, FloatFormat::Specials::AllOnes, false}>;
using F6E2M3FN = NarrowFloat<{2, 3, 1, FloatFormat::Specials::None}>;
using F6E3M2FN = NarrowFloat<{3, 2, 3, FloatFormat::Specials::None}>;
using F4E2M1FN = NarrowFloat<{2, 1, 1, FloatFormat::Specials::None}>;

template <class T>
concept IsNarrowFloat = requires {
  { T::kFormat } -> std::convertible_to<FloatFormat>;
};

/// The power of two to which a conversion to E8M0 rounds: the nearest (the
/// middle goes up), or the next one up or down.
enum class PowerRounding : uint8_t { Nearest, Up, Down };

/// The treatment of values that the target cannot represent: `saturate` maps
/// values out of range to the largest finite one, instead of to infinity or NaN
/// (formats without both always saturate). `power` is the rounding of E8M0.
struct Narrowing {
  bool saturate = false;
  PowerRounding power = PowerRounding::Nearest;
};

/// An integer in the low bits of a byte whose upper bits are 0. Equality
/// compares bits.
template <int width, bool hasSign> struct NarrowInteger {
  static constexpr int kWidth = width;
  static constexpr bool kSigned = hasSign;
  /// The type in which values are read and computed.
  using Value = std::conditional_t<hasSign, int8_t, uint8_t>;
  uint8_t bits = 0;

  bool operator==(const NarrowInteger &) const = default;
  /// The upper bits of the byte are ignored.
  constexpr Value value() const {
    const int shift = 8 - width;
    return static_cast<Value>(
        static_cast<Value>(static_cast<uint8_t>(bits << shift)) >> shift);
  }
  /// Modulo 2^width.
  static constexpr NarrowInteger wrap(uint64_t x) {
    return {static_cast<uint8_t>(x & ((1u << width) - 1))};
  }
};

using I4 = NarrowInteger<4, true>;
using UI4 = NarrowInteger<4, false>;
using I2 = NarrowInteger<2, true>;
using UI2 = NarrowInteger<2, false>;

template <class T>
concept IsNarrowInteger = requires {
  { T::kWidth } -> std::convertible_to<int>;
  { T::kSigned } -> std::convertible_to<bool>;
};

} // namespace gensyn

#endif // GENSYN_NUMERICS_NARROWFLOAT_H
