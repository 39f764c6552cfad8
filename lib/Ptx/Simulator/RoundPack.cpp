// Rounding with integers.

#include "RoundPack.h"

#include <bit>

namespace gensyn::ptx {

ExactNumber unpackInteger(uint64_t magnitude, bool negative) {
  ExactNumber number;
  number.negative = negative;
  if (magnitude == 0)
    return number;
  int zeros = std::countl_zero(magnitude);
  number.significand = magnitude << zeros;
  number.exponent = 63 - zeros;
  return number;
}

ExactNumber unpackFloat(uint64_t bits, const FloatFormat &format) {
  uint64_t one = uint64_t(1) << format.mantissa;
  uint64_t magnitude = bits & ((uint64_t(1) << (format.width - 1)) - 1);
  uint64_t field = magnitude >> format.mantissa, fraction = magnitude % one;
  bool negative = (bits >> (format.width - 1) & 1) != 0;
  if (magnitude > format.largest) {
    ExactNumber special;
    bool isInfinity = format.hasInfinity && magnitude == format.largest + 1;
    special.kind = isInfinity ? ExactNumber::Kind::Infinite
                              : ExactNumber::Kind::NotANumber;
    special.negative = negative;
    return special;
  }
  ExactNumber number =
      unpackInteger(field == 0 ? fraction : one + fraction, negative);
  number.exponent += (field == 0 ? 1 : static_cast<int>(field)) - format.bias -
                     static_cast<int>(format.mantissa);
  return number;
}

static bool roundsUp(uint64_t kept, uint64_t rest, uint64_t half, bool negative,
                     Rounding rounding) {
  switch (rounding) {
  case Rounding::Rz:
    return false;
  case Rounding::Rm:
    return negative && rest != 0;
  case Rounding::Rp:
    return !negative && rest != 0;
  case Rounding::Rna:
    return rest >= half;
  default:
    return rest > half || (rest == half && (kept & 1) != 0);
  }
}

uint64_t packFloat(const ExactNumber &number, const FloatFormat &format,
                   Rounding rounding, bool finite) {
  uint64_t sign = uint64_t(number.negative) << (format.width - 1);
  uint64_t infinity = format.hasInfinity ? format.largest + 1 : format.nan;
  if (number.kind == ExactNumber::Kind::NotANumber)
    return format.nan;
  if (number.kind == ExactNumber::Kind::Infinite)
    return sign | (finite ? format.largest : infinity);
  if (number.significand == 0)
    return sign;
  // Below the smallest normal exponent the last place stays where it is.
  int lowest = 1 - format.bias;
  int below = number.exponent < lowest ? lowest - number.exponent : 0;
  unsigned shift = 63 - format.mantissa + static_cast<unsigned>(below);
  // Beyond 65 bits it only matters if any bit is set.
  bool isDust = shift > 64;
  uint64_t kept = shift > 63 ? 0 : number.significand >> shift;
  uint64_t rest = isDust ? 1
                  : shift == 64
                      ? number.significand
                      : number.significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = isDust ? 2 : uint64_t(1) << (shift - 1);
  kept += roundsUp(kept, rest, half, number.negative, rounding);
  // The leading one of a normal number is added to the exponent.
  uint64_t field =
      below != 0 ? 0 : static_cast<uint64_t>(number.exponent + format.bias - 1);
  bool tooLarge = number.exponent > 2 * format.bias + 2;
  uint64_t result = tooLarge ? infinity : (field << format.mantissa) + kept;
  if (result <= format.largest)
    return sign | result;
  bool inwards = rounding == Rounding::Rz ||
                 (rounding == Rounding::Rm && !number.negative) ||
                 (rounding == Rounding::Rp && number.negative);
  return sign | (finite || inwards ? format.largest : infinity);
}

} // namespace gensyn::ptx
