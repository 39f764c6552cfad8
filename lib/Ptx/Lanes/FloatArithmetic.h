// Operations on f32 and f64, rounded to nearest even, as PTX defines them.

#ifndef GENSYN_PTX_LANES_FLOATARITHMETIC_H
#define GENSYN_PTX_LANES_FLOATARITHMETIC_H

#include "Lanes.h"

namespace gensyn::ptx::GENSYN_LANES {
namespace {

template <class T> struct FloatArithmetic {
  using U = Unsigned<T>;
  static constexpr U signBit = U(1) << (8 * sizeof(T) - 1);
  static U bits(T value) { return __builtin_bit_cast(U, value); }
  static T fromBits(U value) { return __builtin_bit_cast(T, value); }

  static T add(T a, T b) { return canonicalNan(a + b); }
  static T sub(T a, T b) { return canonicalNan(a - b); }
  static T mul(T a, T b) { return canonicalNan(a * b); }
  static T div(T a, T b) { return canonicalNan(a / b); }
  static T rcp(T a) { return canonicalNan(T(1) / a); }
  static T fma(T a, T b, T c) {
    if constexpr (sizeof(T) == 4)
      return canonicalNan(__builtin_fmaf(a, b, c));
    else
      return canonicalNan(__builtin_fma(a, b, c));
  }
  static T sqrt(T a) {
    if constexpr (sizeof(T) == 4)
      return canonicalNan(__builtin_sqrtf(a));
    else
      return canonicalNan(__builtin_sqrt(a));
  }
  // The manual leaves the sign of a negated NaN open; the canonical one exposes
  // programs that rely on it.
  static T neg(T a) { return canonicalNan(fromBits(bits(a) ^ signBit)); }
  static T abs(T a) { return canonicalNan(fromBits(bits(a) & ~signBit)); }
  // The sign of the first operand, the rest of the second.
  static T copysign(T a, T b) {
    return fromBits((bits(a) & signBit) | (bits(b) & ~signBit));
  }
  // -0 < +0: of equal operands min keeps any sign bit, max drops it.
  static T minNumber(T a, T b) {
    T result = a < b ? a : b;
    result = a == b ? fromBits(bits(a) | bits(b)) : result;
    result = a != a ? b : result;
    return canonicalNan(b != b ? a : result);
  }
  static T maxNumber(T a, T b) {
    T result = a > b ? a : b;
    result = a == b ? fromBits(bits(a) & bits(b)) : result;
    result = a != a ? b : result;
    return canonicalNan(b != b ? a : result);
  }
  // .sat: to 0..1, a NaN to +0. .relu: a negative number to +0, a NaN stays.
  static T saturate(T a) {
    T low = a > T(0) ? a : T(0);
    return low < T(1) ? low : T(1);
  }
  static T relu(T a) {
    return canonicalNan((bits(a) & signBit) != 0 && a == a ? T(0) : a);
  }
  static T minNan(T a, T b) {
    return a != a || b != b ? fromBits(static_cast<U>(~signBit))
                            : minNumber(a, b);
  }
  static T maxNan(T a, T b) {
    return a != a || b != b ? fromBits(static_cast<U>(~signBit))
                            : maxNumber(a, b);
  }
};

} // namespace
} // namespace gensyn::ptx::GENSYN_LANES

#endif // GENSYN_PTX_LANES_FLOATARITHMETIC_H
