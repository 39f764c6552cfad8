// exp, expm1, sigmoid, tanh.

#ifndef GENSYN_NUMERICS_FUNCTIONS_EXP_H
#define GENSYN_NUMERICS_FUNCTIONS_EXP_H

#include "gensyn/Numerics/Functions/Common.h"

namespace gensyn::functions {

/// x = k ln2 + r, |r| <= ln2/2; k is in the low bits of `shifted`.
template <ElementwiseArithmetic A> struct ExpReduced {
  typename A::F64 r;
  typename A::I64 shifted;
};

/// ln2 is one word, so that the error of r grows with k.
template <ElementwiseArithmetic A>
ExpReduced<A> reduceExpRoughly(const A &a, typename A::F64 x) {
  auto t = a.fma(x, a.f64(0x1.71547652b82fep0), a.f64(kRound));
  auto k = t - a.f64(kRound);
  return {a.fma(k, a.f64(-0x1.62e42fefa39efp-1), x), a.bits(t)};
}

template <ElementwiseArithmetic A>
ExpReduced<A> reduceExp(const A &a, typename A::F64 x) {
  auto t = a.fma(x, a.f64(0x1.71547652b82fep0), a.f64(kRound));
  auto k = t - a.f64(kRound);
  // ln2 in two words; the first has 42 bits, so its product with k is exact.
  auto r = a.fma(k, a.f64(-0x1.62e42fefa3800p-1), x);
  r = a.fma(k, a.f64(-0x1.ef35793c76730p-45), r);
  return {r, a.bits(t)};
}

/// x = (k + j / 16) ln2 + r, |r| <= ln2/32: 16 k + j is in the low bits of the
/// first function's result, and the second one makes 2^(k + j/16) of it.
template <TableArithmetic A>
typename A::F64 sixteenths(const A &a, typename A::F64 x) {
  return a.fma(x, a.f64(0x1.71547652b82fep4), a.f64(kRound));
}
template <TableArithmetic A>
typename A::F64 lookUpPower(const A &a, typename A::F64 rounded) {
  auto number = a.bits(rounded); // 16 k + j
  return a.real(a.lookup(kPowers, number) + (number << 48));
}

/// y 2^k for a y near 1.
template <ElementwiseArithmetic A>
typename A::F64 scale(const A &a, typename A::F64 y, typename A::I64 shifted) {
  return a.real(a.bits(y) + (shifted << 52));
}

/// exp(x) for |x| < 700, with a relative error of about 2^-52.
template <ElementwiseArithmetic A>
typename A::F64 exp64(const A &a, typename A::F64 x) {
  auto [r, k] = reduceExp(a, x);
  auto p = a.fma(hornerPairs(a, r, kExp), r, a.f64(1));
  return scale(a, a.fma(p, r, a.f64(1)), k);
}

template <TableArithmetic A>
typename A::F64 exp64(const A &a, typename A::F64 x) {
  auto t = sixteenths(a, x);
  auto k = t - a.f64(kRound);
  auto r = a.fma(k, a.f64(-0x1.62e42fefa3800p-5), x);
  r = a.fma(k, a.f64(-0x1.ef35793c76730p-49), r);
  auto power = lookUpPower(a, t);
  auto m = a.fma(r * r, hornerChain(a, r, kExpNear), r);
  return a.fma(power, m, power);
}

/// exp(x) - 1, with a small relative error near 0 too.
template <ElementwiseArithmetic A>
typename A::F64 expm164(const A &a, typename A::F64 x) {
  auto [r, k] = reduceExp(a, x);
  auto m = a.fma(r * r, horner(a, r, kExp), r);
  auto power = scale(a, a.f64(1), k);
  return a.fma(power, m, power - a.f64(1));
}

/// exp(x). Beyond the clamps the narrowing overflows or underflows, and it
/// rounds to subnormals.
template <ElementwiseArithmetic A>
typename A::F32 exp(const A &a, typename A::F32 x) {
  auto y = a.narrow(exp64(a, a.widen(clamp(a, x, -110, 90))));
  if constexpr (TableArithmetic<A>)
    return a.computed(y); // a NaN if x is
  else
    return canonicalNan(a, x, y);
}

/// exp(x) - 1; below -20 it rounds to -1.
template <ElementwiseArithmetic A>
typename A::F32 expm1(const A &a, typename A::F32 x) {
  auto z = a.widen(clamp(a, x, -20, 90));
  auto y = a.narrow(expm164(a, z));
  return canonicalNan(a, x, withSign(a, y, x)); // expm1(-0) = -0
}

/// Numerator and denominator of 1 / (1 + exp(-x)). With h = tanh(r / 2), exp(x)
/// is 2^k (1 + h) / (1 - h), so that the division which a sigmoid needs anyway
/// serves for the exponential too: its polynomial has half as many
/// coefficients. One word of ln2 is enough: every input is rounded correctly.
template <ElementwiseArithmetic A> struct Ratio {
  typename A::F64 numerator, denominator;
};
template <ElementwiseArithmetic A>
Ratio<A> sigmoidRatio(const A &a, typename A::F32 x) {
  // A reciprocal needs a denominator below 2, a division does not.
  constexpr bool divides = A::kSplitChains;
  typename A::F32 z = x;
  if constexpr (divides)
    z = clamp(a, x, -110, 110);
  else
    z = -clampedMagnitude(a, x, 110);
  auto [r, k] = reduceExpRoughly(a, a.widen(z));
  auto r2 = r * r;
  auto h = a.fma(hornerPairs(a, r2, kHalfTanh), r2, a.f64(0.5));
  auto less = a.fma(-r, h, a.f64(1));
  auto more = scale(a, a.fma(r, h, a.f64(1)), k);
  if constexpr (divides)
    return {more, less + more};
  else
    return {a.select(x < a.f32(0), more, less), less + more};
}
template <TableArithmetic A>
Ratio<A> sigmoidRatio(const A &a, typename A::F32 x) {
  auto z = a.widen(clamp(a, x, -110, 110));
  auto t = sixteenths(a, z);
  auto r = a.fma(t - a.f64(kRound), a.f64(-0x1.62e42fefa39efp-5), z);
  auto power = lookUpPower(a, t);
  auto r2 = r * r;
  auto h = a.fma(horner(a, r2, kHalfTanhNear), r2, a.f64(0.5)) * r;
  auto more = a.fma(power, h, power);
  return {more, (a.f64(1) - h) + more};
}

inline constexpr Exception kSigmoidExceptions[] = {{0xBA928601, 0x3EFFDB5F}};

template <ElementwiseArithmetic A>
typename A::F32 sigmoid(const A &a, typename A::F32 x) {
  const Ratio<A> ratio = sigmoidRatio(a, x);
  auto y = a.narrow(quotient(a, ratio.numerator, ratio.denominator));
  // Near 0 it is 1/2 + x/4 - x^3/48, and 1/2 + x/4 may be a tie that f64 cannot
  // decide. The greatest f32 below 1/4 biases the sum to the correct side, and
  // by less than the last bit of x/4, so that it crosses no other tie.
  auto small = a.fma(x, a.f32(0.25f - 0x1p-26f), a.f32(0.5f));
  y = a.select(a.abs(x) < a.f32(0x1p-14f), small, y);
  if constexpr (TableArithmetic<A>)
    return a.computed(y); // a NaN if x is; kPowers decides the exception
  else
    return canonicalNan(a, x, patch(a, x, y, kSigmoidExceptions));
}

/// m / (m + 2) with m = expm1(-2 |x|); above 10 it rounds to 1.
template <ElementwiseArithmetic A>
typename A::F32 tanh(const A &a, typename A::F32 x) {
  auto z = a.widen(clampedMagnitude(a, x, 10));
  auto m = expm164(a, z * a.f64(-2));
  auto y = a.narrow(quotient(a, a.abs(m), m + a.f64(2)));
  return canonicalNan(a, x, withSign(a, y, x));
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_EXP_H
