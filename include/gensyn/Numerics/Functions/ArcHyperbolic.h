// asinh, acosh, atanh: all three as k ln2 / 2 + atanh(s) of a small s.

#ifndef GENSYN_NUMERICS_FUNCTIONS_ARCHYPERBOLIC_H
#define GENSYN_NUMERICS_FUNCTIONS_ARCHYPERBOLIC_H

#include "gensyn/Numerics/Functions/ArcTrig.h"
#include "gensyn/Numerics/Functions/Log.h"

namespace gensyn::functions {

/// log(u) for u >= 1. With u = 2^k (1 + f) it is k ln2 + 2 atanh(f / (f + 2)).
/// For k = 0 the rounding error of u would matter; there the quotient is n / d,
/// which the caller computes more accurately.
template <ElementwiseArithmetic A>
typename A::F64 logOr(const A &a, typename A::F64 u, typename A::F64 n,
                      typename A::F64 d) {
  auto [k, f] = reduceLog(a, u);
  auto small = k == a.f64(0);
  auto s = quotient(a, a.select(small, n, f), a.select(small, d, f + a.f64(2)));
  auto y = atanhSum(a, k, s);
  return y + y;
}

// log's exceptions, halved: log(2 x) for large x.
inline constexpr Exception kAsinhExceptions[] = {{0x4BDD65A5, 0x418F034B},
                                                 {0x655890D3, 0x4254D1F9},
                                                 {0x6EB1A8EC, 0x42845A89}};

/// asinh(x) = log(x + r), r = sqrt(x^2 + 1); near 0 the tangent of half of it
/// is x / (1 + r).
template <ElementwiseArithmetic A>
typename A::F32 asinh(const A &a, typename A::F32 x) {
  auto z = a.widen(a.abs(x));
  auto root = a.sqrt(a.fma(z, z, a.f64(1)));
  auto y = a.narrow(logOr(a, z + root, z, root + a.f64(1)));
  y = a.select(a.abs(x) == a.f32(kInfinity), a.abs(x), y);
  y = patch(a, a.abs(x), y, kAsinhExceptions);
  return canonicalNan(a, x, withSign(a, y, x));
}

inline constexpr Exception kAcoshExceptions[] = {{0x655890D3, 0x4254D1F9},
                                                 {0x6EB1A8EC, 0x42845A89}};

/// acosh(x) = log(x + r), r = sqrt(x^2 - 1); near 1 the tangent of half of it
/// is r / (x + 1). Below 1 a NaN.
template <ElementwiseArithmetic A>
typename A::F32 acosh(const A &a, typename A::F32 x) {
  auto z = a.widen(x);
  auto root = a.sqrt(a.fma(z, z, a.f64(-1)));
  auto y = a.narrow(logOr(a, z + root, root, z + a.f64(1)));
  y = a.select(x == a.f32(kInfinity), x, y);
  y = patch(a, x, y, kAcoshExceptions);
  return a.select(x >= a.f32(1), y, a.real(a.i32(0x7FC00000)));
}

/// atanh(x) = log((1 + x) / (1 - x)) / 2, a NaN for |x| > 1. The difference of
/// the bits of 1 + x and 1 - x, read as a number, is their quotient's logarithm
/// within 0.09; so k is found without a division.
template <ElementwiseArithmetic A>
typename A::F32 atanh(const A &a, typename A::F32 x) {
  constexpr uint64_t exponent = 0x7FF0000000000000;
  auto z = a.widen(a.abs(x));
  auto up = a.f64(1) + z, down = a.f64(1) - z;
  auto i = a.bits(up) - a.bits(down) + a.i64(0x0008000000000000);
  auto k = a.real((i >> 52) | a.i64(0x4330000000000000)) - a.f64(0x1p52);
  auto scaled = a.real(a.bits(down) + (i & a.i64(exponent)));
  // If 1 + x is inexact, k is 0 and the quotient is x itself.
  auto s = quotient(a, up - scaled, up + scaled);
  s = a.select(k == a.f64(0), z, s);
  auto y = a.narrow(atanhSum(a, k, s));
  y = a.select(a.abs(x) == a.f32(1), a.f32(kInfinity), y);
  return insideOne(a, x, withSign(a, y, x));
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_ARCHYPERBOLIC_H
