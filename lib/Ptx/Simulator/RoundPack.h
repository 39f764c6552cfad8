// Rounds exact numbers to any binary format in any direction, with integers
// alone.

#ifndef GENSYN_PTX_ROUNDPACK_H
#define GENSYN_PTX_ROUNDPACK_H

#include "../Machine/Selector.h"

namespace gensyn::ptx {

/// A format by the bits of its mantissa and the bias of its exponent; one
/// without infinities ends in `largest`.
struct FloatFormat {
  unsigned mantissa;
  int bias;
  unsigned width; ///< bits of the whole
  uint64_t nan;   ///< the pattern of PTX's
  uint64_t largest;
  bool hasInfinity;
};

inline constexpr FloatFormat formatF16{10, 15, 16, 0x7FFF, 0x7BFF, true};
inline constexpr FloatFormat formatBF16{7, 127, 16, 0x7FFF, 0x7F7F, true};
inline constexpr FloatFormat formatTF32{10, 127, 19, 0x3FFFF, 0x3FBFF, true};
inline constexpr FloatFormat formatF32{23,         127,        32,
                                       0x7FFFFFFF, 0x7F7FFFFF, true};
inline constexpr FloatFormat formatF64{
    52, 1023, 64, 0x7FFFFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFF, true};
inline constexpr FloatFormat formatE4M3{3, 7, 8, 0x7F, 0x7E, false};
inline constexpr FloatFormat formatE5M2{2, 15, 8, 0x7F, 0x7B, true};

/// A number: (-1)^negative * significand * 2^(exponent - 63), where the top bit
/// of `significand` is set unless it is zero.
struct ExactNumber {
  enum class Kind : uint8_t { Finite, Infinite, NotANumber };
  Kind kind = Kind::Finite;
  bool negative = false;
  uint64_t significand = 0;
  int exponent = 0;
};

/// The number that a bit pattern of a format represents.
ExactNumber unpackFloat(uint64_t bits, const FloatFormat &format);
ExactNumber unpackInteger(uint64_t magnitude, bool negative);

/// The pattern of the rounded number. A number that is too large becomes
/// infinite. In a format without infinities, with `finite`, or if the rounding
/// direction requires it, it becomes the largest number; with `finite`
/// infinities do too.
uint64_t packFloat(const ExactNumber &number, const FloatFormat &format,
                   Rounding rounding, bool finite);

} // namespace gensyn::ptx

#endif // GENSYN_PTX_ROUNDPACK_H
