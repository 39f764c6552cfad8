// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011): four random words that depend only on a counter and a
// key, so that the generator has no state. See docs/Numerics.md, random_r1.

#ifndef GENSYN_NUMERICS_PHILOX_H
#define GENSYN_NUMERICS_PHILOX_H

#include "gensyn/Numerics/Arithmetic.h"

#include <array>
#include <cstdint>

namespace gensyn::random {

/// The first stream of random ops without an ONNX seed, which are numbered in
/// program order. Streams below belong to the runtime: the order of epoch e's
/// samples uses stream e (random_r6).
inline constexpr uint32_t kFirstStream = 0x40000000;
/// The first stream of random ops whose ONNX node has a seed: equal seeds,
/// equal bits.
inline constexpr uint32_t kFirstSeededStream = 0x80000000;

template <ElementwiseArithmetic A>
using PhiloxBlock = std::array<typename A::I32, 4>;
template <ElementwiseArithmetic A>
using PhiloxKey = std::array<typename A::I32, 2>;

/// The block of random words of a counter: ten rounds, each two products of 32
/// bits by 32.
template <ElementwiseArithmetic A>
PhiloxBlock<A> philox(const A &a, PhiloxBlock<A> counter, PhiloxKey<A> key) {
  const auto first = a.i64(0xD2511F53), second = a.i64(0xCD9E8D57);
  const auto step0 = a.i32(0x9E3779B9), step1 = a.i32(0xBB67AE85);
  auto [c0, c1, c2, c3] = counter;
  auto [k0, k1] = key;
  for (int round = 0; round < 10; ++round) {
    if (round > 0)
      k0 = k0 + step0, k1 = k1 + step1;
    auto p = first * a.extend(c0), q = second * a.extend(c2);
    auto n0 = a.truncate(q >> 32) ^ c1 ^ k0;
    auto n2 = a.truncate(p >> 32) ^ c3 ^ k1;
    c0 = n0, c1 = a.truncate(q), c2 = n2, c3 = a.truncate(p);
  }
  return {c0, c1, c2, c3};
}

/// The parameters of a random op, the same for all of its elements.
template <ElementwiseArithmetic A> struct Draw {
  PhiloxKey<A> key;
  typename A::I32 step, draw, stream;
};

/// Element `index` < 2^34 of a random op: word index mod 4 of the block of
/// (index div 4, draw, stream, step).
template <ElementwiseArithmetic A>
typename A::I32 bitsAt(const A &a, const Draw<A> &draw, typename A::I64 index) {
  PhiloxBlock<A> words = philox(
      a, {a.truncate(index >> 2), draw.draw, draw.stream, draw.step}, draw.key);
  const auto low = a.truncate(index), zero = a.i32(0);
  auto isEven = (low & a.i32(1)) == zero, isFirst = (low & a.i32(2)) == zero;
  return a.select(isFirst, a.select(isEven, words[0], words[1]),
                  a.select(isEven, words[2], words[3]));
}

/// The stream of a random op whose ONNX node has this seed: 2^31 and the upper
/// 31 bits of word 0 of a block, whose counter begins with the seed's f64 bits,
/// low half first.
template <ElementwiseArithmetic A>
typename A::I32 seededStream(const A &a, typename A::F64 seed) {
  const auto bits = a.bits(seed), zero = a.i64(0);
  const auto none = a.truncate(zero);
  auto words = philox(a, {a.truncate(bits), a.truncate(bits >> 32), none, none},
                      {none, none});
  return (words[0] >> 1) | a.i32(kFirstSeededStream);
}

} // namespace gensyn::random

#endif // GENSYN_NUMERICS_PHILOX_H
