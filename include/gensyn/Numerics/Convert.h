// Conversions between all element types; see docs/Numerics.md, convert_r1,
// convert_r2 and convert_r3.

#ifndef GENSYN_NUMERICS_CONVERT_H
#define GENSYN_NUMERICS_CONVERT_H

#include "gensyn/Numerics/NarrowConvert.h"
#include "gensyn/Numerics/Tensor.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace gensyn::scalar {

namespace detail {
/// Truncates towards zero, clamps to the range of an integer of `digits` bits
/// beside its sign, a NaN to 0. A float is widened first, which is exact.
template <class To>
To toInteger(double x, int digits = std::numeric_limits<To>::digits) {
  if (x != x)
    return 0;
  // Both bounds are powers of two or 0, so the comparisons are exact. The
  // lower one is exclusive only of values that truncate to less than MIN.
  const double above = std::ldexp(1.0, digits); // MAX + 1
  if (x >= above)
    return static_cast<To>(std::numeric_limits<To>::max() >>
                           (std::numeric_limits<To>::digits - digits));
  if constexpr (std::is_signed_v<To>) {
    if (x <= -above)
      return static_cast<To>(std::numeric_limits<To>::min() >>
                             (std::numeric_limits<To>::digits - digits));
  } else if (x <= -1.0)
    return 0;
  if constexpr (sizeof(To) < 8)
    return static_cast<To>(static_cast<int64_t>(x));
  else
    return static_cast<To>(x);
}

/// Converts an integer to f64, rounding to odd: the bits that f64 cannot hold
/// are folded into the last one. Rounding the result to any narrow float then
/// equals rounding the integer once.
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

/// Converts between any two element types (bool, fixed-width integers, float,
/// double and the types of NarrowFloat.h).
///
/// To a float: rounds once, to nearest even; `how` selects the treatment of
/// values out of range; a NaN becomes canonical. From a float to an integer:
/// truncates and clamps to the range, NaN to 0. Between integers: modulo
/// 2^width. To bool: x != 0, so a NaN is true.
template <class To, class From> To convert(From x, Narrowing how = {}) {
  if constexpr (IsNarrowFloat<From>) {
    return convert<To>(widenNarrow(x), how);
  } else if constexpr (IsNarrowInteger<From>) {
    return convert<To>(x.value(), how);
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != 0;
  } else if constexpr (IsNarrowFloat<To>) {
    if constexpr (std::is_floating_point_v<From>)
      return narrowTo<To>(x, how);
    else
      return narrowTo<To>(detail::oddDouble(x), how);
  } else if constexpr (IsNarrowInteger<To>) {
    if constexpr (std::is_floating_point_v<From>)
      return To::wrap(
          static_cast<uint64_t>(detail::toInteger<typename To::Value>(
              static_cast<double>(x), To::kWidth - (To::kSigned ? 1 : 0))));
    else
      return To::wrap(static_cast<uint64_t>(x));
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

/// Converts every element of `x` to `type`.
Tensor convertTensor(const Tensor &x, ElementType type, Narrowing how = {});

} // namespace gensyn::scalar

#endif // GENSYN_NUMERICS_CONVERT_H
