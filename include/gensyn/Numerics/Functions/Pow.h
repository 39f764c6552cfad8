// pow.

#ifndef GENSYN_NUMERICS_FUNCTIONS_POW_H
#define GENSYN_NUMERICS_FUNCTIONS_POW_H

#include "gensyn/Numerics/Functions/Double.h"

namespace gensyn::functions {

/// log2 of (1 + s) / (1 - s) is s P(s^2); P's coefficients 2 / (ln2 (2j + 1))
/// as two words each for j < 10, and interpolated from there on, to 2^-54 of
/// the tail.
inline constexpr DoubleConstant kPowLog2[] = {
    {0x1.71547652b82fep1, 0x1.777d0ffda0d24p-55},
    {0x1.ec709dc3a03fdp-1, 0x1.d27f05548af0cp-55},
    {0x1.2776c50ef9bfep-1, 0x1.e4b29ccc535d4p-55},
    {0x1.a61762a7aded9p-2, 0x1.fb22e490ee2fp-57},
    {0x1.484b13d7c02a9p-2, -0x1.e55fc724e0a2cp-60},
    {0x1.0c9a84994022dp-2, 0x1.42b91d166906ap-57},
    {0x1.c68f568d3176p-3, 0x1.ce23c4e96378ep-59},
    {0x1.89f3b1694cffep-3, -0x1.2339777c86c81p-60},
    {0x1.5b9ac9b743f0dp-3, 0x1.0d0e5e1d8f408p-57},
    {0x1.3703c1f4d0ffep-3, 0x1.926b2bc99b1edp-57},
};
inline constexpr double kPowLog2Tail[] = {
    0x1.1964ec6fc9491p-3, 0x1.00ecd7e0803p-3,   0x1.d8be0817a42p-4,
    0x1.b5b9702110065p-4, 0x1.97892960533e4p-4, 0x1.7d4b16ea46314p-4,
    0x1.642bbe04ceb0cp-4, 0x1.79e9f221896edp-4};

/// 2^r for |r| <= 1/2: coefficients ln2^j / j! as two words each for j < 13,
/// and interpolated from there on, to 2^-52 of the tail.
inline constexpr DoubleConstant kPowExp2[] = {
    {0x1p0, 0},
    {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56},
    {0x1.ebfbdff82c58fp-3, -0x1.5e43a53e44da3p-57},
    {0x1.c6b08d704a0cp-5, -0x1.d331627513351p-59},
    {0x1.3b2ab6fba4e77p-7, 0x1.4e65df05a9f75p-62},
    {0x1.5d87fe78a6731p-10, 0x1.0717f69a514bfp-66},
    {0x1.430912f86c787p-13, 0x1.bd2c2a261ac8dp-67},
    {0x1.ffcbfc588b0c7p-17, -0x1.e53ab8cde09c6p-71},
    {0x1.62c0223a5c824p-20, -0x1.3800cfc92c41ep-79},
    {0x1.b5253d395e7c4p-24, -0x1.2dac78d2d8038p-79},
    {0x1.e4cf5158b8ecap-28, -0x1.204bc4d5a312dp-85},
    {0x1.e8cac7351bb25p-32, -0x1.f8543350dc6f6p-87},
    {0x1.c3bd650fc2986p-36, -0x1.d4a9781e85d12p-92},
};
inline constexpr double kPowExp2Tail[] = {
    0x1.816193166d0f8p-40, 0x1.314964d5878a9p-44, 0x1.c36e843b19847p-49,
    0x1.38e89ae7aa62ep-53, 0x1.984447e56d687p-58, 0x1.f7176877e5437p-63,
    0x1.25d2efdb1ff5fp-67, 0x1.45d821fce4de1p-72};

/// log2 of a positive normal f64 that has 24 bits, with a relative error below
/// 2^-103. For x = 2^k (1 + f) with 1 + f in [sqrt 1/2, sqrt 2): s = f / (2 +
/// f).
template <ElementwiseArithmetic A>
Double<A> log2Double(const A &a, typename A::F64 x) {
  constexpr uint64_t root = 0x3FE6A09E667F3BCD; // bits of sqrt(1/2)
  auto i = a.bits(x) + a.i64(0x3FF0000000000000 - root);
  auto k = a.real((i >> 52) | a.i64(0x4330000000000000)) - a.f64(0x1p52 + 1023);
  auto m = a.real((i & a.i64(0x000FFFFFFFFFFFFF)) + a.i64(root));
  auto f = m - a.f64(1), d = m + a.f64(1); // exact: x has 24 bits
  auto inverse = reciprocal(a, d);
  auto q = f * inverse;
  Double<A> s{q, a.fma(-q, d, f) * inverse};
  auto z = q * q;
  Double<A> square{z, a.fma(q + q, s.l, a.fma(q, q, -z))};
  auto p = hornerDouble(a, square, kPowLog2, hornerChain(a, z, kPowLog2Tail));
  auto y = product(a, s, p);
  auto sum = fastSum(a, k, y.h); // k = 0 or |k| >= |y|
  return {sum.h, sum.l + y.l};
}

/// 2^(t.h + t.l) for |t| <= 200, rounded to odd unless it looks exact.
template <ElementwiseArithmetic A>
typename A::F64 exp2Odd(const A &a, Double<A> t) {
  auto shifted = t.h + a.f64(kRound);
  auto r = fastSum(a, t.h - (shifted - a.f64(kRound)), t.l);
  auto p = hornerDouble(a, r, kPowExp2, hornerChain(a, r.h, kPowExp2Tail));
  auto y = fastSum(a, p.h, p.l);
  // A remainder this small is the error of an exact result, which may be a tie.
  auto rest = a.select(a.abs(y.l) < a.f64(0x1p-95), a.f64(0), y.l);
  auto odd = nudgeToOdd(a, y.h, rest);
  return a.real(a.bits(odd) + (a.bits(shifted) << 52));
}

/// C23's special cases; `r` is |x|^y for an ordinary power.
template <ElementwiseArithmetic A>
typename A::F32 powSpecial(const A &a, typename A::F32 x, typename A::F32 y,
                           typename A::F32 r) {
  auto one = a.f32(1), zero = a.f32(0), inf = a.f32(kInfinity);
  auto nan = a.real(a.i32(0x7FC00000));
  auto ax = a.abs(x), ay = a.abs(y);
  // x or y is zero or infinite: the result depends on whether |x| > 1 and y > 0
  // agree.
  auto up = y > zero;
  auto extreme =
      a.select(ax > one, a.select(up, inf, zero), a.select(up, zero, inf));
  r = a.select((ax == zero) | (ax == inf), extreme, r);
  r = a.select(ay == inf, a.select(ax == one, one, extreme), r);
  // True if y is an integer, and true if it is even: from 2^24 on all are.
  auto magic = a.f32(0x1p23f);
  auto whole = ((ay + magic) - magic == ay) | (ay >= magic);
  auto half = ay * a.f32(0.5f);
  auto even = ((half + magic) - magic == half) | (half >= magic);
  auto negative = (a.bits(x) & a.i32(0x80000000)) != a.i32(0);
  r = a.select(negative & whole & !even, -r, r);
  r = a.select((x < zero) & (x != -inf) & !whole, nan, r);
  auto anyNan = a.isNan(x);
  anyNan = anyNan | a.isNan(y);
  r = a.select(anyNan, nan, r);
  return a.select((x == one) | (y == zero), one, r);
}

/// x to the power of y: 2^(y log2 |x|) with two f64 at every step. For |x|^y in
/// [2^-150, 2^128] the relative error is below 2^-96 (2^-97.4 is the largest
/// observed); docs/Numerics.md, pow_r1, has the consequences.
template <ElementwiseArithmetic A>
typename A::F32 pow(const A &a, typename A::F32 x, typename A::F32 y) {
  auto one = a.f32(1), zero = a.f32(0), inf = a.f32(kInfinity);
  auto ax = a.abs(x);
  auto ordinary = (ax > zero) & (ax < inf);
  auto l = log2Double(a, a.widen(a.select(ordinary, ax, one)));
  auto z = a.widen(a.select(a.abs(y) < inf, y, one));
  auto h = z * l.h;
  auto rest = a.fma(z, l.l, a.fma(z, l.h, -h));
  // Beyond this the narrowing overflows or underflows.
  auto big = a.abs(h) > a.f64(200);
  h = a.select(big, a.select(h > a.f64(0), a.f64(200), a.f64(-200)), h);
  rest = a.select(big, a.f64(0), rest);
  return powSpecial(a, x, y, a.narrow(exp2Odd(a, Double<A>{h, rest})));
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_POW_H
