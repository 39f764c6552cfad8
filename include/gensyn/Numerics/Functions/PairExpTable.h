// exp and sigmoid of pairs of f32, shorter than in PairExp.h by tables.

#ifndef GENSYN_NUMERICS_FUNCTIONS_PAIREXPTABLE_H
#define GENSYN_NUMERICS_FUNCTIONS_PAIREXPTABLE_H

#include "gensyn/Numerics/Functions/Pair.h"

namespace gensyn::functions::pair {

/// A policy that looks up words in all lanes at once, and branches where one of
/// its lanes is unsure. It adds to the members of Arithmetic.h `rarely` of
/// SlowDouble, and
///
///   static constexpr bool kWordTables = true
///   lookup(const uint32_t (&table)[32], I32 i) -> I32
///               table[i mod 32]
template <class A>
concept WordTableArithmetic =
    ElementwiseArithmetic<A> && A::kWordTables &&
    requires(const A &a, const uint32_t (&table)[32], typename A::I32 i,
             typename A::F32 y, typename A::Mask m, typename A::F32 (*slow)()) {
      { a.lookup(table, i) } -> std::convertible_to<typename A::I32>;
      { a.rarely(m, y, slow) } -> std::convertible_to<typename A::F32>;
    };

/// The f32 nearest to 2^(j/32), less j in bit 18: adding 32 k + j there
/// multiplies by 2^k.
inline constexpr uint32_t kPowerWords[32] = {
    0x3f800000, 0x3f7ecd87, 0x3f7daac3, 0x3f7c980f, 0x3f7b95c2, 0x3f7aa43a,
    0x3f79c3d3, 0x3f78f4f0, 0x3f7837f0, 0x3f778d3a, 0x3f76f532, 0x3f767043,
    0x3f75fed7, 0x3f75a15b, 0x3f75583f, 0x3f7523f6, 0x3f7504f3, 0x3f74fbaf,
    0x3f7508a4, 0x3f752c4d, 0x3f75672a, 0x3f75b9be, 0x3f76248c, 0x3f76a81e,
    0x3f7744fd, 0x3f77fbb8, 0x3f78ccdf, 0x3f79b907, 0x3f7ac0c7, 0x3f7be4ba,
    0x3f7d257d, 0x3f7e83b3};

/// The logarithms of the quotients of 2^(j/32) and those, as bits; their
/// errors are below 2^-49.
inline constexpr uint32_t kPowerRests[32] = {
    0x00000000, 0xb34a3a0b, 0x3346cb6a, 0xb36ed17f, 0xb24e0611, 0xb3517dda,
    0x334b2481, 0xb31586de, 0x33092801, 0xb2e6f467, 0x331b85f2, 0x3099b6f1,
    0xb3051aa9, 0xb2e2a0db, 0xb2006c56, 0xb3365942, 0x329302ae, 0x32c595dc,
    0xb302e5a2, 0xb28e10a1, 0x31b3d0e5, 0xb31a472b, 0x31d1daf2, 0xb305bf64,
    0xb27ce183, 0xb2f26443, 0xb1b4b0da, 0xb1da8a8f, 0xb1d290be, 0xb2d5b899,
    0x31b0a147, 0xb2156afc};

/// exp(x) = power (1 + r + low), within 2^-36.2 of it: power is 2^(k + j/32),
/// rounded, |r| < 2^-6.5 and |low| < 2^-14.
template <WordTableArithmetic A> struct ExpProduct {
  typename A::F32 power, r, low;
};

/// For |x| < 88.
///
/// The error: ln2/32 has an f32 of 21 bits, a multiple of 2^-26, that differs
/// from it by 2^-34. So r = x - n ln2/32 for that f32 is exact (it is below
/// 2^-6.5 and a multiple of 2^-26 or of x's last bit), and the product of n and
/// the difference is at most 2^-22 and off by 2^-46. The polynomial is off by
/// 2^-42.5. What is left are roundings of numbers of the size of r^2/2 < 2^-14:
/// those of s as far as it enters, of its square, of the polynomial's value and
/// of the sum, each at most 2^-38, together 2^-36.
template <WordTableArithmetic A>
ExpProduct<A> expProduct(const A &a, typename A::F32 x) {
  auto magic = a.f32(0x1.8p23f);
  auto t = a.fma(x, a.f32(0x1.715476p5f), magic);
  auto n = t - magic;
  auto r = a.fma(n, a.f32(-0x1.62e43p-6f), x);
  auto number = a.bits(t); // 32 k + j
  auto power = a.real(a.lookup(kPowerWords, number) + (number << 18));
  auto rest =
      a.fma(n, a.f32(0x1.05c61p-34f), a.real(a.lookup(kPowerRests, number)));
  // exp(s) = 1 + s + s^2 (1/2 + s (c + d s)), a minimax fit of c
  auto s = r + rest;
  auto p = a.fma(s, a.f32(0x1.555556p-5f), a.f32(0x1.5555c8p-3f));
  p = a.fma(s, p, a.f32(0.5f));
  return {power, r, a.fma(s * s, p, rest)};
}

/// An input near -87 of which the pairs leave open how sigmoid is rounded.
inline constexpr float kSigmoidOpen = -0x1.5bf7bap6f;

/// 1 / (1 + exp(-x)).
///
/// d + l is 1 + exp(-x): 1 + power and what that loses, and the product of
/// power and r, added with one rounding, and what that loses. With q = 1 / d
/// and e what q (d + l) lacks of 1, the result is q (1 + e + e^2 + ...). |e| is
/// below 2^-13, so the third power is negligible, and the roundings of l and of
/// the sums that give e are of 2^-38 at most. With those of exp(-x) that is
/// 2^-35.4 if all of them err to one side. Over all inputs they reach 2^-36.2;
/// check-exhaustive shows that the bound of 2^-36 is enough.
template <WordTableArithmetic A>
Attempt<A> sigmoid(const A &a, typename A::F32 x) {
  // Results below 2^-126 are left to f64: their inputs take the place of one
  // whose rounding is open.
  auto z = clamp(a, x, kSigmoidOpen, 20);
  auto one = a.f32(1);
  auto [power, r, low] = expProduct(a, -z);
  auto isLess = power < one;
  auto more = a.select(isLess, one, power);
  auto less = a.select(isLess, power, one);
  auto whole = more + less;
  auto d = a.fma(power, r, whole);
  auto l = a.fma(power, r, whole - d); // the difference is exact
  l = a.fma(power, low, l) + (less - (whole - more));
  auto q = one / d;
  auto e = a.fma(-l, q, a.fma(-d, q, one));
  e = a.fma(e, e, e);
  auto error = a.f32(0x1p-36f);
  auto least = a.fma(q, e - error, q), most = a.fma(q, e + error, q);
  return {least, least != most};
}

} // namespace gensyn::functions::pair

#endif // GENSYN_NUMERICS_FUNCTIONS_PAIREXPTABLE_H
