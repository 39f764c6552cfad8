// exp and sigmoid of pairs of f32, shorter than in PairExp.h by tables.

#ifndef GENSYN_NUMERICS_FUNCTIONS_PAIREXPTABLE_H
#define GENSYN_NUMERICS_FUNCTIONS_PAIREXPTABLE_H

#include "gensyn/Numerics/Functions/Pair.h"

#include <bit>

namespace gensyn::functions::pair {

/// A policy that looks up words in all lanes at once, and branches where one of
/// its lanes is unsure. It adds to the members of Arithmetic.h `rarely` of
/// SlowDouble, and
///
///   static constexpr size_t kWords
///               the size of a table, 8 or 32
///   lookup(const uint32_t (&table)[kWords], I32 i) -> I32
///               table[i mod kWords]
template <class A>
concept WordTableArithmetic =
    ElementwiseArithmetic<A> && (A::kWords == 8 || A::kWords == 32) &&
    requires(const A &a, const uint32_t (&table)[A::kWords], typename A::I32 i,
             typename A::F32 y, typename A::Mask m, typename A::F32 (*slow)()) {
      { a.lookup(table, i) } -> std::convertible_to<typename A::I32>;
      { a.rarely(m, y, slow) } -> std::convertible_to<typename A::F32>;
    };

/// `powers` are the f32 nearest to 2^(j/words), less j in the bits that make
/// k words + j there multiply by 2^k; `rests` the logarithms of the quotients
/// of 2^(j/words) and those, as bits, with errors below 2^-49.
template <size_t words> struct PowerTables;
template <> struct PowerTables<32> {
  static constexpr uint32_t powers[] = {
      0x3f800000, 0x3f7ecd87, 0x3f7daac3, 0x3f7c980f, 0x3f7b95c2, 0x3f7aa43a,
      0x3f79c3d3, 0x3f78f4f0, 0x3f7837f0, 0x3f778d3a, 0x3f76f532, 0x3f767043,
      0x3f75fed7, 0x3f75a15b, 0x3f75583f, 0x3f7523f6, 0x3f7504f3, 0x3f74fbaf,
      0x3f7508a4, 0x3f752c4d, 0x3f75672a, 0x3f75b9be, 0x3f76248c, 0x3f76a81e,
      0x3f7744fd, 0x3f77fbb8, 0x3f78ccdf, 0x3f79b907, 0x3f7ac0c7, 0x3f7be4ba,
      0x3f7d257d, 0x3f7e83b3};
  static constexpr uint32_t rests[] = {
      0x00000000, 0xb34a3a0b, 0x3346cb6a, 0xb36ed17f, 0xb24e0611, 0xb3517dda,
      0x334b2481, 0xb31586de, 0x33092801, 0xb2e6f467, 0x331b85f2, 0x3099b6f1,
      0xb3051aa9, 0xb2e2a0db, 0xb2006c56, 0xb3365942, 0x329302ae, 0x32c595dc,
      0xb302e5a2, 0xb28e10a1, 0x31b3d0e5, 0xb31a472b, 0x31d1daf2, 0xb305bf64,
      0xb27ce183, 0xb2f26443, 0xb1b4b0da, 0xb1da8a8f, 0xb1d290be, 0xb2d5b899,
      0x31b0a147, 0xb2156afc};
};
template <> struct PowerTables<8> {
  static constexpr uint32_t powers[] = {0x3f800000, 0x3f7b95c2, 0x3f7837f0,
                                        0x3f75fed7, 0x3f7504f3, 0x3f75672a,
                                        0x3f7744fd, 0x3f7ac0c7};
  static constexpr uint32_t rests[] = {0x00000000, 0xb24e0611, 0x33092801,
                                       0xb3051aa9, 0x329302ae, 0x31b3d0e5,
                                       0xb27ce183, 0xb1d290be};
};

/// x = (k + j/words) ln2 + r + rest, and power = 2^(k + j/words), rounded.
///
/// ln2 has an f32 of 21 bits that differs from it by 2^-29. So r, taken of that
/// f32, is exact: it is at most ln2 / (2 words), and a multiple of the last bit
/// of that f32 / words or of x. The product of k words + j and the difference
/// is at most 2^-22, and off by 2^-46; it and the power's error are `rest`.
template <WordTableArithmetic A> struct ExpSteps {
  typename A::F32 power, r, rest;
};
template <WordTableArithmetic A>
ExpSteps<A> expSteps(const A &a, typename A::F32 x) {
  using Tables = PowerTables<A::kWords>;
  constexpr float words = A::kWords;
  constexpr int shift = 23 - std::countr_zero(A::kWords);
  auto magic = a.f32(0x1.8p23f);
  auto t = a.fma(x, a.f32(0x1.715476p0f * words), magic);
  auto n = t - magic;
  auto r = a.fma(n, a.f32(-0x1.62e43p-1f / words), x);
  auto number = a.bits(t); // k words + j
  auto power = a.real(a.lookup(Tables::powers, number) + (number << shift));
  auto rest = a.fma(n, a.f32(0x1.05c61p-29f / words),
                    a.real(a.lookup(Tables::rests, number)));
  return {power, r, rest};
}

/// exp(x) = power (1 + most + low), for |x| < 88: within 2^-36 of it, with
/// |most| < 2^-4.4 and |low| < 2^-14.
template <WordTableArithmetic A> struct ExpProduct {
  typename A::F32 power, most, low;
};

/// With tables of 32, most = r, below 2^-6.5. exp(s) = 1 + s + s^2 (1/2 + s
/// (c + d s)) is off by 2^-42.5 (a minimax fit of c). What is left are
/// roundings of numbers of the size of r^2/2 < 2^-14: those of s as far as it
/// enters, of its square, of the polynomial's value and of the sum, each at
/// most 2^-38.
///
/// With tables of 8, r is below 2^-4.5, and r^2/2 is split in two: most is r +
/// r^2/2, rounded, and low begins with what that and the square lose. r^3 (c +
/// d r + e r^2), a minimax fit, is off by 2^-39.9, and roundings of it by 2^-40
/// each.
template <WordTableArithmetic A>
ExpProduct<A> expProduct(const A &a, typename A::F32 x) {
  auto [power, r, rest] = expSteps(a, x);
  if constexpr (A::kWords == 32) {
    auto s = r + rest;
    auto p = a.fma(s, a.f32(0x1.555556p-5f), a.f32(0x1.5555c8p-3f));
    p = a.fma(s, p, a.f32(0.5f));
    return {power, r, a.fma(s * s, p, rest)};
  } else {
    auto half = a.f32(0.5f);
    auto square = r * r;
    auto most = a.fma(square, half, r);
    auto lost = a.fma(square, half, r - most);
    auto low = a.fma(rest, most, rest);
    low = a.fma(a.fma(r, r, -square), half, low) + lost;
    auto p = a.fma(r, a.f32(0x1.11160ep-7f), a.f32(0x1.555a38p-5f));
    p = a.fma(r, p, a.f32(0x1.555556p-3f));
    return {power, most, a.fma(square * r, p, low)};
  }
}

/// An input near -87 of which the pairs leave open how sigmoid is rounded, with
/// tables of both sizes.
inline constexpr float kSigmoidOpen = -0x1.5bf7bap6f;

/// 1 / (1 + exp(-x)).
///
/// d + l is 1 + exp(-x): 1 + power and what that loses, and the product of
/// power and most, added with one rounding, and what that loses. With q = 1 / d
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
  auto [power, most, low] = expProduct(a, -z);
  auto isLess = power < one;
  auto greater = a.select(isLess, one, power);
  auto less = a.select(isLess, power, one);
  auto whole = greater + less;
  auto d = a.fma(power, most, whole);
  auto l = a.fma(power, most, whole - d); // the difference is exact
  l = a.fma(power, low, l) + (less - (whole - greater));
  auto q = one / d;
  auto e = a.fma(-l, q, a.fma(-d, q, one));
  e = a.fma(e, e, e);
  auto error = a.f32(0x1p-36f);
  auto down = a.fma(q, e - error, q), up = a.fma(q, e + error, q);
  return {down, down != up};
}

} // namespace gensyn::functions::pair

#endif // GENSYN_NUMERICS_FUNCTIONS_PAIREXPTABLE_H
