// sin, cos, tan, for every finite argument.

#ifndef GENSYN_NUMERICS_FUNCTIONS_TRIG_H
#define GENSYN_NUMERICS_FUNCTIONS_TRIG_H

#include "gensyn/Numerics/Functions/Common.h"

namespace gensyn::functions {

/// The argument is u + n / parts turns, |u| <= 1 / (2 parts); n is in the low
/// bits of `shifted`.
template <ElementwiseArithmetic A> struct Turns {
  typename A::F64 u;
  typename A::I64 shifted;
};

/// x / (2 pi) + phase, without the whole turns (phase is 0 or a quarter).
///
/// 1 / (2 pi) is cut into chunks whose products with x are exact. For any x
/// four neighbouring chunks matter: those above give whole turns, those below
/// are negligible in f64. x alone selects the four, so this is straight-line
/// code for all arguments.
template <ElementwiseArithmetic A>
Turns<A> reduceTurns(const A &a, typename A::F32 x, double phase, int parts) {
  auto z = a.widen(x);
  auto tail = [](size_t i) { return kTurn[i] + kTurn[i + 1]; };
  typename A::F64 c[4] = {a.f64(kTurn[0]), a.f64(kTurn[1]), a.f64(kTurn[2]),
                          a.f64(tail(3))};
  constexpr float from[] = {0x1p51f, 0x1p79f, 0x1p107f};
  for (size_t b = 1; b <= 3; ++b) {
    auto here = a.abs(x) >= a.f32(from[b - 1]);
    for (size_t j = 0; j < 4; ++j)
      c[j] = a.select(here, a.f64(j < 3 ? kTurn[b + j] : tail(b + 3)), c[j]);
  }
  // The first two may still have whole turns: subtract the nearest ones.
  auto magic = a.f64(kRound);
  auto high = a.fma(z, c[0], -(a.fma(z, c[0], magic) - magic));
  auto low = a.fma(z, c[1], -(a.fma(z, c[1], magic) - magic));
  if (phase != 0)
    high = high + a.f64(phase);
  auto t = a.fma(high + low, a.f64(parts), magic);
  auto u = a.fma(t - magic, a.f64(-1.0 / parts), high) + low;
  u = a.fma(z, c[3], a.fma(z, c[2], u));
  return {u, a.bits(t)};
}

/// y, or the canonical NaN for a NaN or an infinity.
template <ElementwiseArithmetic A>
typename A::F32 canonicalResult(const A &a, typename A::F32 y) {
  return canonicalNan(a, y, y);
}

/// sin(2 pi turns) in f64, for |turns| <= 1/4, for tables of roots of unity.
/// The relative error is below 2^-50.
template <ElementwiseArithmetic A>
typename A::F64 sinOfQuarter(const A &a, typename A::F64 turns) {
  return turns * horner(a, turns * turns, kSinTurn);
}

/// sin of 2 pi (u + n / 2): an odd n changes the sign.
template <ElementwiseArithmetic A>
typename A::F32 sinOfTurns(const A &a, const Turns<A> &turns) {
  auto y = sinOfQuarter(a, turns.u);
  y = a.real(a.bits(y) ^ (turns.shifted << 63));
  return canonicalResult(a, a.narrow(y));
}

/// sin(x); of infinities a NaN.
template <ElementwiseArithmetic A>
typename A::F32 sin(const A &a, typename A::F32 x) {
  return sinOfTurns(a, reduceTurns(a, x, 0, 2));
}

/// cos(x), as the sine of a quarter turn more; of infinities a NaN.
template <ElementwiseArithmetic A>
typename A::F32 cos(const A &a, typename A::F32 x) {
  return sinOfTurns(a, reduceTurns(a, x, 0.25, 2));
}

/// tan(x); of infinities a NaN. The reduction goes to an eighth of a turn at
/// once: halving an angle of up to a quarter would cancel near the poles.
template <ElementwiseArithmetic A>
typename A::F32 tan(const A &a, typename A::F32 x) {
  auto [v, shifted] = reduceTurns(a, x, 0, 4);
  auto u = v + v; // in half turns
  auto u2 = u * u;
  auto s = u * horner(a, u2, kTanSin);
  auto c = a.fma(u2, horner(a, u2, kTanCos), a.f64(1));
  // An odd number of quarter turns: -c / s. Tests a sign bit, because SSE2
  // cannot compare 64-bit integers.
  auto odd = a.real((shifted << 63) | a.bits(a.f64(1))) < a.f64(0);
  auto numerator = a.select(odd, -c, s), denominator = a.select(odd, s, c);
  auto y = a.narrow(quotient(a, numerator, denominator));
  return canonicalResult(a, y);
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_TRIG_H
