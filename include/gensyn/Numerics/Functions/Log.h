// log, log1p.

#ifndef GENSYN_NUMERICS_FUNCTIONS_LOG_H
#define GENSYN_NUMERICS_FUNCTIONS_LOG_H

#include "gensyn/Numerics/Functions/Common.h"

namespace gensyn::functions {

inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;

/// u = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2); k is integral.
template <ElementwiseArithmetic A> struct LogReduced {
  typename A::F64 k, f;
};

template <ElementwiseArithmetic A>
LogReduced<A> reduceLog(const A &a, typename A::F64 u) {
  constexpr uint64_t root = 0x3FE6A09E667F3BCD; // bits of sqrt(1/2)
  auto i = a.bits(u) + a.i64(0x3FF0000000000000 - root);
  // The exponent as an f64: put below the leading bit of 2^52.
  auto k = a.real((i >> 52) | a.i64(0x4330000000000000)) - a.f64(0x1p52 + 1023);
  auto m = a.real((i & a.i64(0x000FFFFFFFFFFFFF)) + a.i64(root));
  return {k, m - a.f64(1)};
}

/// k ln2 / 2 + atanh(s), |s| <= 0.201. One word of ln2 suffices: for k != 0 the
/// result is at least (|k| - 1/2) ln2 / 2.
template <ElementwiseArithmetic A>
typename A::F64 atanhSum(const A &a, typename A::F64 k, typename A::F64 s) {
  auto s2 = s * s;
  auto y = a.fma(s * s2, horner(a, s2, kAtanh), s);
  return a.fma(k, a.f64(kLn2 / 2), y);
}

/// k ln2 + log(1 + f), as twice an inverse hyperbolic tangent: a division, and
/// a third of the coefficients of a series in f.
template <ElementwiseArithmetic A>
typename A::F64 logSum(const A &a, typename A::F64 k, typename A::F64 f) {
  auto y = atanhSum(a, k, quotient(a, f, f + a.f64(2)));
  return y + y;
}

/// Results for a zero argument (`zero`), for +inf, and outside of the domain.
template <ElementwiseArithmetic A>
typename A::F32 logSpecial(const A &a, typename A::F32 x, float zero,
                           typename A::F32 y) {
  y = a.select(x == a.f32(kInfinity), x, y);
  y = a.select(x == a.f32(zero), a.f32(-kInfinity), y);
  return a.select(x >= a.f32(zero), y, a.real(a.i32(0x7FC00000)));
}

/// Results within 2^-53 of a tie, or nearly so.
inline constexpr Exception kLogExceptions[] = {{0x3C413D3A, 0xC08E158F},
                                               {0x41178FEB, 0x400FE5E7},
                                               {0x4C5D65A5, 0x418F034B},
                                               {0x65D890D3, 0x4254D1F9},
                                               {0x6F31A8EC, 0x42845A89}};

/// log(x); log(+-0) = -inf, log of a negative is a NaN.
template <ElementwiseArithmetic A>
typename A::F32 log(const A &a, typename A::F32 x) {
  auto [k, f] = reduceLog(a, a.widen(x));
  auto y = patch(a, x, a.narrow(logSum(a, k, f)), kLogExceptions);
  return logSpecial(a, x, 0, y);
}

inline constexpr Exception kLog1pExceptions[] = {
    {0x35400003, 0x353FFFFF}, {0x3710001B, 0x370FFFF3},
    {0x3EFD81AD, 0x3ECDEEE1}, {0x41078FEB, 0x400FE5E7},
    {0x65D890D3, 0x4254D1F9}, {0x6F31A8EC, 0x42845A89},
    {0xB53FFFFD, 0xB5400001}, {0xB70FFFE5, 0xB710000D},
    {0xBB0EC8C4, 0xBB0EF0A5}};

/// log(1 + x); 1 + x is formed in f64, and where it has no whole powers of two
/// f is x itself, so nothing cancels.
template <ElementwiseArithmetic A>
typename A::F32 log1p(const A &a, typename A::F32 x) {
  auto z = a.widen(x);
  auto [k, f] = reduceLog(a, z + a.f64(1));
  f = a.select(k == a.f64(0), z, f);
  auto y = patch(a, x, a.narrow(logSum(a, k, f)), kLog1pExceptions);
  return logSpecial(a, x, -1, withSign(a, y, x)); // log1p(-0) = -0
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_LOG_H
