// The meaning of each elementwise op on one element, with the host's scalars;
// see docs/Numerics.md. T is float, double or a fixed-width integer; functions
// that also accept bool or a storage type say so. Conversions are in Convert.h.

#ifndef GENSYN_NUMERICS_SCALAR_H
#define GENSYN_NUMERICS_SCALAR_H

#include "gensyn/Numerics/Convert.h"
#include "gensyn/Numerics/Functions.h"
#include "gensyn/Numerics/NarrowFloat.h"
#include "gensyn/Numerics/Native.h"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace gensyn::scalar {

template <class T>
concept Float = std::same_as<T, float> || std::same_as<T, double>;
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;
template <class T>
concept Number = Float<T> || Integer<T>;

/// g4: any NaN becomes the canonical one, everything else stays. Tests the
/// bits: a C++ compiler treats all NaNs as equivalent, and clang drops
/// `y != y ? nan : y` after a square root.
template <Float T> T canonical(T x) {
  if constexpr (sizeof(T) == 4) {
    const auto bits = std::bit_cast<uint32_t>(x);
    const bool nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
    return std::bit_cast<float>(nan ? 0x7FC00000u : bits);
  } else {
    const auto bits = std::bit_cast<uint64_t>(x);
    const bool nan = (bits & 0x7FFFFFFFFFFFFFFFu) > 0x7FF0000000000000u;
    return std::bit_cast<double>(nan ? 0x7FF8000000000000u : bits);
  }
}

namespace detail {
/// Integers are computed in an unsigned type that does not promote to int.
template <Integer T>
using Word = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <Integer T> constexpr T wrap(Word<T> x) { return static_cast<T>(x); }
template <Integer T> constexpr Word<T> word(T x) {
  return static_cast<Word<T>>(x);
}
} // namespace detail

/// g3, g6: IEEE arithmetic, integers modulo 2^width.
template <Number T> T add(T a, T b) {
  if constexpr (Float<T>)
    return canonical(a + b);
  else
    return detail::wrap<T>(detail::word(a) + detail::word(b));
}
template <Number T> T sub(T a, T b) {
  if constexpr (Float<T>)
    return canonical(a - b);
  else
    return detail::wrap<T>(detail::word(a) - detail::word(b));
}
template <Number T> T mul(T a, T b) {
  if constexpr (Float<T>)
    return canonical(a * b);
  else
    return detail::wrap<T>(detail::word(a) * detail::word(b));
}

/// Integers truncate towards zero; division by 0 gives all ones; MIN / -1 =
/// MIN.
template <Number T> T div(T a, T b) {
  if constexpr (Float<T>)
    return canonical(a / b);
  else {
    if (b == 0)
      return static_cast<T>(~detail::Word<T>{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) // covers MIN / -1, which C++ leaves undefined
        return detail::wrap<T>(detail::Word<T>{0} - detail::word(a));
    return static_cast<T>(a / b);
  }
}

/// a - trunc(a / b) b, exactly, with the sign of a. Floats as C's fmod.
/// Integers: a rem 0 = a, MIN rem -1 = 0.
template <Number T> T rem(T a, T b) {
  if constexpr (Float<T>)
    return canonical(std::fmod(a, b)); // exact, so one result is possible
  else {
    if (b == 0)
      return a;
    if constexpr (std::is_signed_v<T>)
      if (b == -1)
        return 0;
    return static_cast<T>(a % b);
  }
}

/// a b + c with one rounding.
template <Float T> T fma(T a, T b, T c) {
  return canonical(Native::fma(a, b, c));
}

/// Flips the sign bit; a NaN becomes canonical. MIN stays MIN.
template <Number T> T neg(T x) {
  if constexpr (Float<T>)
    return canonical(-x);
  else
    return detail::wrap<T>(detail::Word<T>{0} - detail::word(x));
}
/// Clears the sign bit; a NaN becomes canonical. MIN stays MIN.
template <Number T> T abs(T x) {
  if constexpr (Float<T>)
    return canonical(Native::abs(x));
  else
    return x < 0 ? neg(x) : x;
}

template <Float T> T sqrt(T x) { return canonical(Native::sqrt(x)); }

/// The integral value to which `round` rounds; Even is the nearest, ties to
/// even.
enum class Rounding : uint8_t { Floor, Ceil, Trunc, Even };

/// Rounds to an integral value; a result of zero has the sign of x too.
template <Float T> T round(T x, Rounding mode) {
  // Beyond this every value is integral; a NaN or infinity is caught as well.
  constexpr auto integral =
      static_cast<T>(1ull << (std::numeric_limits<T>::digits - 1));
  const T magnitude = Native::abs(x);
  if (!(magnitude < integral))
    return canonical(x);
  const auto whole = static_cast<T>(static_cast<int64_t>(magnitude)); // trunc
  const T rest = magnitude - whole;                                   // exact
  const bool negative = std::signbit(x);
  bool up = false;
  switch (mode) {
  case Rounding::Floor:
    up = negative && rest > 0;
    break;
  case Rounding::Ceil:
    up = !negative && rest > 0;
    break;
  case Rounding::Trunc:
    break;
  case Rounding::Even:
    up = rest > T(0.5) ||
         (rest == T(0.5) && (static_cast<int64_t>(whole) & 1) != 0);
    break;
  }
  return std::copysign(whole + static_cast<T>(up ? 1 : 0), x);
}

/// g5, the total order of floats: -Inf < ... < -0 < +0 < ... < +Inf < NaN, as
/// an integer that compares the same way. All NaNs are one value.
inline int64_t orderKey(double x) {
  if (x != x)
    return std::numeric_limits<int64_t>::max();
  const auto bits = std::bit_cast<int64_t>(x);
  return bits >= 0 ? bits : (bits ^ std::numeric_limits<int64_t>::max());
}
inline int32_t orderKey(float x) {
  if (x != x)
    return std::numeric_limits<int32_t>::max();
  const auto bits = std::bit_cast<int32_t>(x);
  return bits >= 0 ? bits : (bits ^ std::numeric_limits<int32_t>::max());
}
template <std::integral T> T orderKey(T x) { return x; }

/// The total order of g5 as a comparison, for sorting and arg_reduce.
template <class T> bool totalLess(T a, T b) {
  return orderKey(a) < orderKey(b);
}

/// g5: a NaN on either side wins both; -0 < +0. Also for bool.
template <class T>
  requires Number<T> || std::same_as<T, bool>
T min(T a, T b) {
  if constexpr (Float<T>) {
    if (a != a || b != b)
      return canonical(a + b);
    return orderKey(b) < orderKey(a) ? b : a;
  } else
    return b < a ? b : a;
}
template <class T>
  requires Number<T> || std::same_as<T, bool>
T max(T a, T b) {
  if constexpr (Float<T>) {
    if (a != a || b != b)
      return canonical(a + b);
    return orderKey(a) < orderKey(b) ? b : a;
  } else
    return a < b ? b : a;
}

enum class Comparison : uint8_t { Eq, Ne, Lt, Le, Gt, Ge };

/// IEEE comparison: with a NaN only Ne is true, and -0 equals +0. Any type;
/// storage types compare by value.
template <class T> bool compare(T a, T b, Comparison how) {
  if constexpr (IsNarrowFloat<T>) {
    return compare(widenNarrow(a), widenNarrow(b), how);
  } else if constexpr (IsNarrowInteger<T>) {
    return compare(a.value(), b.value(), how);
  } else {
    switch (how) {
    case Comparison::Eq:
      return a == b;
    case Comparison::Ne:
      return a != b;
    case Comparison::Lt:
      return a < b;
    case Comparison::Le:
      return a <= b;
    case Comparison::Gt:
      return a > b;
    case Comparison::Ge:
      break;
    }
    return a >= b;
  }
}

/// Chooses bits: NaN payloads stay. Any type.
template <class T> T select(bool p, T a, T b) { return p ? a : b; }

/// Bitwise on integers, logical on bool.
template <std::integral T> T bitAnd(T a, T b) { return static_cast<T>(a & b); }
template <std::integral T> T bitOr(T a, T b) { return static_cast<T>(a | b); }
template <std::integral T> T bitXor(T a, T b) { return static_cast<T>(a ^ b); }
template <std::integral T> T bitNot(T a) {
  if constexpr (std::same_as<T, bool>)
    return !a;
  else
    return static_cast<T>(~a);
}

/// The amount is read as unsigned; from the width on, the result is 0, or all
/// sign bits for `shr` of a signed type.
template <Integer T> T shl(T a, T amount) {
  const auto n = static_cast<std::make_unsigned_t<T>>(amount);
  if (n >= sizeof(T) * 8)
    return 0;
  return detail::wrap<T>(detail::word(a) << n);
}
template <Integer T> T shr(T a, T amount) {
  const auto n = static_cast<std::make_unsigned_t<T>>(amount);
  if (n >= sizeof(T) * 8)
    return std::is_signed_v<T> && a < 0 ? static_cast<T>(-1) : T{0};
  return static_cast<T>(a >> n);
}

// The functions: correctly rounded in f32. In f64 those with a description are
// our own (function_r2, function_r3); the other forms are those of the C
// library, neither correctly rounded nor the same everywhere. They exist for
// tests of derivatives, and no program's result may depend on them.
#define GENSYN_FUNCTION(Stem, name)                                            \
  inline float name(float x) { return functions::name(Native(), x); }
#include "gensyn/Numerics/Functions.def"
#define GENSYN_FUNCTION(Stem, name)
#define GENSYN_LIBRARY_FUNCTION(Stem, name)                                    \
  inline double name(double x) { return canonical(std::name(x)); }
#define GENSYN_F64_FUNCTION(Stem, name)                                        \
  inline double name(double x) { return functions::name##F64(Native(), x); }
#include "gensyn/Numerics/Functions.def"
inline float pow(float x, float y) { return functions::pow(Native(), x, y); }
inline double pow(double x, double y) { return canonical(std::pow(x, y)); }

} // namespace gensyn::scalar

#endif // GENSYN_NUMERICS_SCALAR_H
