// Double-float numbers (two f32), for functions on targets whose f64 is slow.
//
// A pair has about 46 bits, less than f64, and functions of pairs have about 40
// correct bits. That decides which f32 is nearest for nearly every input, but
// not for all. So each function also reports where it is unsure (`Attempt`),
// and falls back to the f64 algorithm there (FunctionDispatch.h). The result is
// the same either way.

#ifndef GENSYN_NUMERICS_FUNCTIONS_PAIR_H
#define GENSYN_NUMERICS_FUNCTIONS_PAIR_H

#include "gensyn/Numerics/Functions/Common.h"

namespace gensyn::functions::pair {

/// h + l, with |l| at most about 2^-16 of |h|.
template <ElementwiseArithmetic A> struct Pair {
  typename A::F32 h, l;
};

/// The same, as a constant.
struct PairConstant {
  float h, l;
};

/// x + y exactly, for |x| >= |y| or x = 0.
template <ElementwiseArithmetic A>
Pair<A> fastSum(const A &, typename A::F32 x, typename A::F32 y) {
  auto s = x + y;
  return {s, y - (s - x)};
}

/// x + y exactly, for any x and y.
template <ElementwiseArithmetic A>
Pair<A> sum(const A &, typename A::F32 x, typename A::F32 y) {
  auto s = x + y;
  auto t = s - x;
  return {s, (x - (s - t)) + (y - t)};
}

/// p x, with a relative error of about 2^-47.
template <ElementwiseArithmetic A>
Pair<A> times(const A &a, Pair<A> p, typename A::F32 x) {
  auto h = p.h * x;
  return {h, a.fma(p.l, x, a.fma(p.h, x, -h))};
}

/// p q, with a relative error of about 2^-46.
template <ElementwiseArithmetic A>
Pair<A> times(const A &a, Pair<A> p, Pair<A> q) {
  auto h = p.h * q.h;
  return {h, a.fma(p.l, q.h, a.fma(p.h, q.l, a.fma(p.h, q.h, -h)))};
}

/// p p, with the same error.
template <ElementwiseArithmetic A> Pair<A> square(const A &a, Pair<A> p) {
  auto h = p.h * p.h;
  return {h, a.fma(p.h + p.h, p.l, a.fma(p.h, p.h, -h))};
}

/// n / d, with a relative error of about 2^-46.
template <ElementwiseArithmetic A>
Pair<A> quotient(const A &a, Pair<A> n, Pair<A> d) {
  auto reciprocal = a.f32(1) / d.h;
  auto h = n.h * reciprocal;
  auto rest = a.fma(-h, d.l, a.fma(-h, d.h, n.h)) + n.l;
  return {h, rest * reciprocal};
}

/// c + p, for |c| >= |p|.
template <ElementwiseArithmetic A>
Pair<A> plus(const A &a, PairConstant c, Pair<A> p) {
  auto s = fastSum(a, a.f32(c.h), p.h);
  return {s.h, s.l + (c.l == 0 ? p.l : p.l + a.f32(c.l))};
}

/// c + p, for |c.h| >= |p.h|.
template <ElementwiseArithmetic A>
Pair<A> plus(const A &a, Pair<A> c, Pair<A> p) {
  auto s = fastSum(a, c.h, p.h);
  return {s.h, s.l + (p.l + c.l)};
}

/// c[0] + c[1] x + ..., one fma a coefficient, for the high-order terms.
template <ElementwiseArithmetic A, size_t N>
typename A::F32 horner(const A &a, typename A::F32 x, const float (&c)[N]) {
  auto p = a.f32(c[N - 1]);
  for (size_t i = N - 1; i-- > 0;)
    p = a.fma(p, x, a.f32(c[i]));
  return p;
}

/// The result of a function of pairs: its f32, and where that may not be the
/// nearest one.
template <ElementwiseArithmetic A> struct Attempt {
  typename A::F32 y;
  typename A::Mask unsure;
};

/// p rounded to f32, which is right for all numbers within `error` of p unless
/// the two ends of that interval round differently (Ziv's test).
template <ElementwiseArithmetic A>
Attempt<A> settle(const A &, Pair<A> p, typename A::F32 error) {
  auto low = p.h + (p.l - error), high = p.h + (p.l + error);
  return {low, low != high};
}

/// The same for a relative error.
template <ElementwiseArithmetic A>
Attempt<A> settleRelative(const A &a, Pair<A> p, float error) {
  return settle(a, p, a.abs(p.h) * a.f32(error));
}

/// low <= x <= high.
template <ElementwiseArithmetic A>
typename A::Mask within(const A &a, typename A::F32 x, float low, float high) {
  auto above = x >= a.f32(low), below = x <= a.f32(high);
  return above & below;
}

} // namespace gensyn::functions::pair

#endif // GENSYN_NUMERICS_FUNCTIONS_PAIR_H
