// asin, acos, atan.

#ifndef GENSYN_NUMERICS_FUNCTIONS_ARCTRIG_H
#define GENSYN_NUMERICS_FUNCTIONS_ARCTRIG_H

#include "gensyn/Numerics/Functions/Common.h"

namespace gensyn::functions {

inline constexpr double kPi = 0x1.921fb54442d18p1;

/// asin of z = |x|: `y` itself for z <= 1/2; above it asin(z) is
/// pi/2 - 2 asin(sqrt((1 - z) / 2)), and `y` is that second asin.
template <ElementwiseArithmetic A> struct ArcSine {
  typename A::Mask outer;
  typename A::F64 y;
};

template <ElementwiseArithmetic A>
ArcSine<A> arcSine(const A &a, typename A::F32 x) {
  auto outer = a.abs(x) > a.f32(0.5f);
  auto z = a.widen(a.abs(x));
  auto half = a.fma(z, a.f64(-0.5), a.f64(0.5)); // exact where it is used
  auto r2 = a.select(outer, half, z * z);
  auto r = a.select(outer, a.sqrt(half), z);
  return {outer, a.fma(r * r2, horner(a, r2, kAsin), r)};
}

/// y, or the canonical NaN where |x| > 1 or x is a NaN.
template <ElementwiseArithmetic A>
typename A::F32 insideOne(const A &a, typename A::F32 x, typename A::F32 y) {
  return a.select(a.abs(x) <= a.f32(1), y, a.real(a.i32(0x7FC00000)));
}

/// asin(x); a NaN for |x| > 1.
template <ElementwiseArithmetic A>
typename A::F32 asin(const A &a, typename A::F32 x) {
  auto [outer, y] = arcSine(a, x);
  auto w = a.select(outer, a.fma(y, a.f64(-2), a.f64(kPi / 2)), y);
  return insideOne(a, x, withSign(a, a.narrow(w), x));
}

inline constexpr Exception kAcosExceptions[] = {{0x328885A3, 0x3FC90FDB},
                                                {0x39826222, 0x3FC907B5}};

/// acos(x), pi/2 - asin(x); a NaN for |x| > 1. With s the sign of x: pi/2 - s y
/// inside, 2 y or pi - 2 y outside, each one fma on s y.
template <ElementwiseArithmetic A>
typename A::F32 acos(const A &a, typename A::F32 x) {
  auto [outer, y] = arcSine(a, x);
  auto sign = a.bits(a.widen(x)) & a.i64(uint64_t{1} << 63);
  auto signedY = a.real(a.bits(y) ^ sign);
  auto end = a.select(x < a.f32(0), a.f64(kPi), a.f64(0));
  auto w = a.fma(a.select(outer, a.f64(2), a.f64(-1)), signedY,
                 a.select(outer, end, a.f64(kPi / 2)));
  return insideOne(a, x, patch(a, x, a.narrow(w), kAcosExceptions));
}

inline constexpr Exception kAtanExceptions[] = {
    {0x3D8D6B23, 0x3D8D31C3}}; // magnitudes

/// atan(x), by atan(z) = base + atan(n / d): z / 1 up to tan(pi/8), -1 / z
/// above tan(3 pi/8), (z - 1) / (z + 1) between them. From 2^26 on it is pi/2.
template <ElementwiseArithmetic A>
typename A::F32 atan(const A &a, typename A::F32 x) {
  auto magnitude = clampedMagnitude(a, x, 0x1p30f);
  auto z = a.widen(magnitude);
  auto one = a.f64(1);
  auto low = magnitude <= a.f32(0x1.a8279ap-2f);
  auto high = magnitude >= a.f32(0x1.3504f4p1f);
  auto n = a.select(low, z, a.select(high, -one, z - one));
  auto d = a.select(low, one, a.select(high, z, z + one));
  auto base =
      a.select(low, a.f64(0), a.select(high, a.f64(kPi / 2), a.f64(kPi / 4)));
  auto r = quotient(a, n, d);
  auto r2 = r * r;
  auto y = base + a.fma(r * r2, horner(a, r2, kAtan), r);
  auto w = patch(a, magnitude, a.narrow(y), kAtanExceptions);
  return canonicalNan(a, x, withSign(a, w, x));
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_ARCTRIG_H
