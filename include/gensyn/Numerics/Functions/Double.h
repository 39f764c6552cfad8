// Double-double numbers (two f64), for the functions that need more than one
// f64.

#ifndef GENSYN_NUMERICS_FUNCTIONS_DOUBLE_H
#define GENSYN_NUMERICS_FUNCTIONS_DOUBLE_H

#include "gensyn/Numerics/Functions/Common.h"

namespace gensyn::functions {

/// h + l, with |l| at most a few units in the last place of h.
template <ElementwiseArithmetic A> struct Double {
  typename A::F64 h, l;
};

/// The same, as a constant.
struct DoubleConstant {
  double h, l;
};

/// x + y exactly, for |x| >= |y| or x = 0.
template <ElementwiseArithmetic A>
Double<A> fastSum(const A &, typename A::F64 x, typename A::F64 y) {
  auto s = x + y;
  return {s, y - (s - x)};
}

/// x y, with a relative error of about 2^-104.
template <ElementwiseArithmetic A>
Double<A> product(const A &a, Double<A> x, Double<A> y) {
  auto p = x.h * y.h;
  auto e = a.fma(x.h, y.h, -p);
  e = a.fma(x.h, y.l, e);
  return {p, a.fma(x.l, y.h, e)};
}

/// c + t, for |c| >= |t|.
template <ElementwiseArithmetic A>
Double<A> plusConstant(const A &a, DoubleConstant c, Double<A> t) {
  auto s = fastSum(a, a.f64(c.h), t.h);
  return {s.h, s.l + (c.l == 0 ? t.l : t.l + a.f64(c.l))};
}

/// c[0] + c[1] x + ... + c[N-1] x^(N-1) + x^N tail by Horner's scheme; each
/// coefficient must be greater than the sum added to it. A step has 9
/// operations and an error of about 2^-105 of its coefficient.
template <ElementwiseArithmetic A, size_t N>
Double<A> hornerDouble(const A &a, Double<A> x, const DoubleConstant (&c)[N],
                       typename A::F64 tail) {
  auto s = fastSum(a, a.f64(c[N - 1].h), tail * x.h);
  Double<A> p{s.h, s.l + a.f64(c[N - 1].l)};
  for (size_t i = N - 1; i-- > 0;)
    p = plusConstant(a, c[i], product(a, p, x));
  return p;
}

/// h + rest for h > 0, rounded to odd: the result is exact, or has an odd last
/// bit. Rounding it to f32 is then as if there had been one rounding.
template <ElementwiseArithmetic A>
typename A::F64 nudgeToOdd(const A &a, typename A::F64 h,
                           typename A::F64 rest) {
  auto i = a.bits(h);
  auto zero = a.f64(0);
  auto step = a.select(rest > zero, a.i64(1),
                       a.select(rest < zero, a.i64(~uint64_t{0}), a.i64(0)));
  auto isOdd = (i & a.i64(1)) == a.i64(1);
  return a.real(i + a.select(isOdd, a.i64(0), step));
}

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_DOUBLE_H
