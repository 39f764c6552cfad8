// Conversions between all element types; see docs/Numerics.md, convert_r1 and
// convert_r2.

#ifndef GENSYN_NUMERICS_CONVERT_H
#define GENSYN_NUMERICS_CONVERT_H

#include "gensyn/Numerics/NarrowFloat.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace gensyn::scalar {

namespace detail {
template <class T>
inline constexpr bool isNarrow =
    std::is_same_v<T, F16> || std::is_same_v<T, BF16>;

/// Truncates towards zero, clamps to the range, a NaN to 0. A float is widened
/// first, which is exact.
template <class To> To toInteger(double x) {
  if (x != x)
    return 0;
  // Both bounds are powers of two or 0, so the comparisons are exact. The
  // lower one is exclusive only of values that truncate to less than MIN.
  constexpr int digits = std::numeric_limits<To>::digits;
  const double above = std::ldexp(1.0, digits); // MAX + 1
  if (x >= above)
    return std::numeric_limits<To>::max();
  if constexpr (std::is_signed_v<To>) {
    if (x <= -above)
      return std::numeric_limits<To>::min();
  } else if (x <= -1.0)
    return 0;
  if constexpr (sizeof(To) < 8)
    return static_cast<To>(static_cast<int64_t>(x));
  else
    return static_cast<To>(x);
}

/// An f64 that rounds to every f16 and bf16 as the integer would: the bits that
/// f64 cannot hold are folded into its last one (rounding to odd).
template <class From> double oddDouble(From x) {
  const bool negative = x < 0;
  auto magnitude = static_cast<uint64_t>(x);
  if (negative)
    magnitude = 0 - magnitude;
  if (magnitude >> 53) {
    const uint64_t lost = magnitude & 0x7FF;
    magnitude = (magnitude & ~uint64_t{0x7FF}) | (lost ? 0x800 : 0);
  }
  const auto value = static_cast<double>(magnitude);
  return negative ? -value : value;
}
} // namespace detail

/// Converts between any two element types (bool, fixed-width integers, F16,
/// BF16, float, double).
///
/// To a float: nearest, ties to even, rounded once; a NaN becomes canonical. To
/// an integer from a float: truncated and clamped to the range, NaN to 0; from
/// an integer: modulo 2^width. To bool: x != 0, so a NaN is true.
template <class To, class From> To convert(From x) {
  if constexpr (detail::isNarrow<From>) {
    return convert<To>(widenNarrow(x));
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != 0;
  } else if constexpr (detail::isNarrow<To>) {
    if constexpr (std::is_floating_point_v<From>)
      return narrowTo<To>(static_cast<double>(x));
    else
      return narrowTo<To>(detail::oddDouble(x));
  } else if constexpr (std::is_floating_point_v<To>) {
    const To y = static_cast<To>(x);
    if constexpr (std::is_same_v<To, float>)
      return y != y ? std::bit_cast<float>(0x7FC00000u) : y;
    else
      return y != y ? std::bit_cast<double>(0x7FF8000000000000u) : y;
  } else if constexpr (std::is_floating_point_v<From>) {
    return detail::toInteger<To>(static_cast<double>(x));
  } else {
    return static_cast<To>(x);
  }
}

} // namespace gensyn::scalar

#endif // GENSYN_NUMERICS_CONVERT_H
