// Helpers shared by the families of functions.

#ifndef GENSYN_NUMERICS_FUNCTIONS_COMMON_H
#define GENSYN_NUMERICS_FUNCTIONS_COMMON_H

#include "gensyn/Numerics/Arithmetic.h"
#include "gensyn/Numerics/Functions/Coefficients.h"

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gensyn::functions {

/// A policy that looks up entries of a table in all lanes at once, as AVX-512
/// does by permuting two registers. A table shortens the polynomial of a result
/// that is correctly rounded. Such a policy divides, like those that split
/// chains, and adds to the members of Arithmetic.h:
///
///   static constexpr bool kTables = true
///   lookup(const uint64_t (&table)[16], I64 i) -> I64
///               table[i mod 16]
///   computed(F32 y) -> F32
///               y, any NaN replaced by the canonical one, now or later
template <class A>
concept TableArithmetic =
    ElementwiseArithmetic<A> && A::kSplitChains && A::kTables &&
    requires(const A &a, const uint64_t (&table)[16], typename A::I64 i,
             typename A::F32 y) {
      { a.lookup(table, i) } -> std::convertible_to<typename A::I64>;
      { a.computed(y) } -> std::convertible_to<typename A::F32>;
    };

/// Adding it rounds |x| < 2^51 to an integer, whose two's complement is then in
/// the low bits of the sum.
inline constexpr double kRound = 0x1.8p52;

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// c[0] + c[1] x + ..., one fma a coefficient, from the highest power down. The
/// bits of a result that is not correctly rounded depend on this order.
template <ElementwiseArithmetic A, size_t N>
typename A::F64 hornerChain(const A &a, typename A::F64 x,
                            const double (&c)[N]) {
  auto p = a.f64(c[N - 1]);
  for (size_t i = N - 1; i-- > 0;)
    p = a.fma(p, x, a.f64(c[i]));
  return p;
}

/// The same in the policy's preferred order. On CPUs a long chain is bound by
/// latency, since their schedulers hold about three chains. A policy may split
/// the high coefficients, whose rounding errors do not matter, into even and
/// odd powers: one operation more, half the latency.
template <ElementwiseArithmetic A, size_t N>
typename A::F64 horner(const A &a, typename A::F64 x, const double (&c)[N]) {
  constexpr size_t low = 4;
  if constexpr (!A::kSplitChains || N < low + 6) {
    return hornerChain(a, x, c);
  } else {
    auto x2 = x * x;
    auto p = a.f64(c[N - 1]), q = a.f64(c[N - 2]);
    for (size_t i = N - 2; i-- > low;) {
      p = a.fma(p, x2, a.f64(c[i]));
      auto t = p;
      p = q, q = t;
    }
    // The powers of p are one above those of q.
    p = a.fma(p, x, q);
    for (size_t i = low; i-- > 0;)
      p = a.fma(p, x, a.f64(c[i]));
    return p;
  }
}

/// The same for an even number of coefficients, by pairs of them: a third of
/// the latency, but the lowest coefficients' sum is rounded once more.
template <ElementwiseArithmetic A, size_t N>
typename A::F64 hornerPairs(const A &a, typename A::F64 x,
                            const double (&c)[N]) {
  static_assert(N % 2 == 0 && N > 2);
  if constexpr (!A::kSplitChains) {
    return hornerChain(a, x, c);
  } else {
    auto x2 = x * x;
    auto p = a.fma(a.f64(c[N - 1]), x, a.f64(c[N - 2]));
    for (size_t i = N - 2; i > 0; i -= 2)
      p = a.fma(p, x2, a.fma(a.f64(c[i - 1]), x, a.f64(c[i - 2])));
    return p;
  }
}

/// 1/d within 2^-53 * 1.01; d must be a normal f32 after rounding. The seed is
/// an f32 division, correctly rounded, so this has the same bits everywhere and
/// needs no f64 division, which is slow.
template <ElementwiseArithmetic A>
typename A::F64 reciprocal(const A &a, typename A::F64 d) {
  auto y = a.widen(a.f32(1) / a.narrow(d));
  auto e = a.fma(-d, y, a.f64(1));
  return a.fma(y, a.fma(e, e, e), y);
}

/// n / d within 2^-52 of it, for d as above. Policies that split chains are
/// those of CPUs, which overlap a division with other work; elsewhere an f64
/// division is a long subroutine.
template <ElementwiseArithmetic A>
typename A::F64 quotient(const A &a, typename A::F64 n, typename A::F64 d) {
  if constexpr (A::kSplitChains)
    return n / d;
  else
    return n * reciprocal(a, d);
}

/// y, or the canonical NaN if x is a NaN.
template <ElementwiseArithmetic A>
typename A::F32 canonicalNan(const A &a, typename A::F32 x, typename A::F32 y) {
  return a.select(a.isNan(x), a.real(a.i32(0x7FC00000)), y);
}

template <ElementwiseArithmetic A>
typename A::F64 canonicalNan(const A &a, typename A::F64 x, typename A::F64 y) {
  return a.select(a.isNan(x), a.real(a.i64(0x7FF8000000000000)), y);
}

/// An input (as bits) for which f64 cannot decide the rounding, because the
/// last operation lands on the tie itself, and its correct result.
struct Exception {
  uint32_t x, y;
};
template <ElementwiseArithmetic A, size_t N>
typename A::F32 patch(const A &a, typename A::F32 x, typename A::F32 y,
                      const Exception (&exceptions)[N]) {
  for (const Exception &e : exceptions)
    y = a.select(x == a.f32(std::bit_cast<float>(e.x)),
                 a.f32(std::bit_cast<float>(e.y)), y);
  return y;
}

/// The magnitude of y >= 0 with the sign of x, bit by bit: a zero gets it too.
template <ElementwiseArithmetic A>
typename A::F32 withSign(const A &a, typename A::F32 y, typename A::F32 x) {
  return a.real(a.bits(y) | (a.bits(x) & a.i32(0x80000000)));
}

template <ElementwiseArithmetic A>
typename A::F64 withSign(const A &a, typename A::F64 y, typename A::F64 x) {
  return a.real(a.bits(y) | (a.bits(x) & a.i64(0x8000000000000000)));
}

/// x clamped to [lo, hi]; a NaN stays.
template <ElementwiseArithmetic A>
typename A::F32 clamp(const A &a, typename A::F32 x, float lo, float hi) {
  x = a.select(x < a.f32(lo), a.f32(lo), x);
  return a.select(x > a.f32(hi), a.f32(hi), x);
}

/// |x| clamped to at most `hi`; a NaN stays.
template <ElementwiseArithmetic A>
typename A::F32 clampedMagnitude(const A &a, typename A::F32 x, float hi) {
  return a.select(a.abs(x) > a.f32(hi), a.f32(hi), a.abs(x));
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_COMMON_H
