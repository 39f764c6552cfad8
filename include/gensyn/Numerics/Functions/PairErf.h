// erf of pairs of f32.

#ifndef GENSYN_NUMERICS_FUNCTIONS_PAIRERF_H
#define GENSYN_NUMERICS_FUNCTIONS_PAIRERF_H

#include "gensyn/Numerics/Functions/Pair.h"

namespace gensyn::functions::pair {

/// erf(z) = c[0] + u (c[1] + t (c[2] + t (c[3] + ...))) on four ranges, which
/// end at 1, 1.85, 2.75 and 3.93: u = z and t = z^2 on the first, u = t = z - m
/// about the middle m of the others. Relative errors 2^-48.6, 2^-40.1, 2^-40.4,
/// 2^-39.6. A row has the ranges' coefficients of one power; the first rows
/// also have low words. (Minimax fits as in PairExp.h.)
inline constexpr float kErfEnds[3] = {1, 1.85f, 2.75f};
inline constexpr float kErfMiddles[4] = {0, 0x1.6cccccp0f, 0x1.266666p1f,
                                         0x1.ab851ep1f};
inline constexpr float kErfHigh[12][4] = {
    {0, 0x1.e988d2p-1f, 0x1.ff6a2ap-1f, 0x1.ffffb2p-1f},
    {0x1.20dd76p0f, 0x1.2f50fep-3f, 0x1.74d5e4p-8f, 0x1.0e9eb4p-16f},
    {-0x1.812746p-2f, -0x1.b039cep-3f, -0x1.acc2c6p-7f, -0x1.c3eee4p-15f},
    {0x1.ce2f22p-4f, 0x1.35825p-3f, 0x1.29a5a2p-6f, 0x1.e099f8p-14f},
    {-0x1.b82ce4p-6f, -0x1.31ccc2p-5f, -0x1.0ed56cp-6f, -0x1.6ba8b2p-13f},
    {0x1.565bccp-8f, -0x1.8a35e6p-6f, 0x1.3fbf04p-7f, 0x1.9dbfdep-13f},
    {-0x1.c02d78p-11f, 0x1.5e59cap-6f, -0x1.92d0fep-9f, -0x1.6b728ep-13f},
    {0x1.f99d1cp-14f, -0x1.862c5p-9f, -0x1.3eb3b4p-12f, 0x1.f0ca8p-14f},
    {-0x1.f470aep-17f, -0x1.ce3db8p-9f, 0x1.b66b9ap-11f, -0x1.057678p-14f},
    {0x1.b5fd2ap-20f, 0x1.bae40cp-10f, -0x1.80ad14p-12f, 0x1.835776p-16f},
    {-0x1.4688dep-23f, 0x1.635da2p-13f, 0x1.edb4b2p-18f, -0x1.828688p-19f},
    {0x1.446134p-27f, -0x1.351feep-12f, 0x1.b1ffe2p-15f, -0x1.ce4bc6p-20f}};
inline constexpr float kErfLow[6][4] = {
    {0, 0x1.0c31aap-28f, -0x1.4d0b8ep-26f, 0x1.a16f56p-28f},
    {-0x1.f7ac92p-25f, -0x1.ce7a48p-28f, 0x1.72a514p-34f, 0x1.ece93cp-41f},
    {-0x1.606f66p-27f, -0x1.3217e2p-31f, -0x1.2638cep-32f, 0x1.f666ccp-41f},
    {-0x1.7f423cp-30f, 0x1.8a27cap-28f, 0x1.dd234p-33f, 0x1.27281ap-39f},
    {0x1.ec513cp-31f, -0x1.27dd8cp-31f, 0x1.af6686p-32f, 0x1.f39084p-39f},
    {-0x1.54a928p-34f, -0x1.cbeecep-31f, 0x1.527e16p-32f, -0x1.2a497ep-38f}};

/// erf(x); above 3.93 it rounds to 1. Unsure for the smallest numbers.
template <ElementwiseArithmetic A>
Attempt<A> erf(const A &a, typename A::F32 x) {
  auto z = clampedMagnitude(a, x, 3.93f);
  auto first = z < a.f32(kErfEnds[0]), second = z < a.f32(kErfEnds[1]),
       third = z < a.f32(kErfEnds[2]);
  auto pick = [&](const float (&c)[4]) {
    auto high = a.select(third, a.f32(c[2]), a.f32(c[3]));
    auto low = a.select(first, a.f32(c[0]), a.f32(c[1]));
    return a.select(second, low, high);
  };
  auto pickPair = [&](size_t i) {
    return Pair<A>{pick(kErfHigh[i]), pick(kErfLow[i])};
  };
  auto u = z - pick(kErfMiddles); // exact
  auto h = z * z;
  Pair<A> t{a.select(first, h, u), a.select(first, a.fma(z, z, -h), a.f32(0))};
  auto tail = pick(kErfHigh[11]);
  for (size_t i = 11; i-- > 7;)
    tail = a.fma(tail, t.h, pick(kErfHigh[i]));
  auto q = fastSum(a, pick(kErfHigh[6]), tail * t.h);
  for (size_t i = 6; i-- > 1;)
    q = plus(a, pickPair(i), times(a, q, t));
  q = plus(a, pickPair(0), times(a, q, u));
  auto [rounded, unsure] = settleRelative(a, q, 0x1p-37f);
  auto least = z < a.f32(0x1p-90f);
  auto sure = !unsure & !(least & (z != a.f32(0)));
  return {withSign(a, rounded, x), !sure};
}

} // namespace gensyn::functions::pair

#endif // GENSYN_NUMERICS_FUNCTIONS_PAIRERF_H
