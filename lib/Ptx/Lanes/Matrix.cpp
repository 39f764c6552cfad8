// Products of integer matrices whose elements the lanes of a warp hold.

#include "../Machine/Access.h"
#include "Lanes.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace gensyn::ptx::GENSYN_LANES {
namespace {

constexpr size_t columns = 8;

/// The bytes of 32 words as numbers of 16 bits, two in each word.
struct Halves {
  alignas(64) uint32_t even[warpSize]; ///< bytes 0 and 2
  alignas(64) uint32_t odd[warpSize];  ///< bytes 1 and 3
};

template <class T> inline uint32_t pairOf(uint32_t low, uint32_t high) {
  auto extend = [](uint32_t byte) {
    return static_cast<uint16_t>(int16_t(static_cast<T>(byte)));
  };
  return extend(low) | uint32_t(extend(high)) << 16;
}

template <class T> inline void split(const uint32_t *words, Halves &halves) {
  GENSYN_LANES_LOOP
  for (unsigned i = 0; i < warpSize; ++i) {
    uint32_t word = words[i];
    halves.even[i] = pairOf<T>(word, word >> 16);
    halves.odd[i] = pairOf<T>(word >> 8, word >> 24);
  }
}

/// Separates the words of even and odd numbers.
template <unsigned pairs>
inline void unzip(const uint32_t *words, uint32_t *even, uint32_t *odd) {
  GENSYN_LANES_LOOP
  for (size_t i = 0; i < pairs; ++i) {
    even[i] = words[2 * i];
    odd[i] = words[2 * i + 1];
  }
}

/// Adds to each column's sum the products of both halves of `pair` with the
/// column's word.
inline void addProducts(uint32_t *sums, uint32_t pair, const uint32_t *words) {
#if defined(__AVX2__)
  auto *all = reinterpret_cast<__m256i *>(sums);
  *all = _mm256_add_epi32(
      *all, _mm256_madd_epi16(_mm256_set1_epi32(static_cast<int32_t>(pair)),
                              *reinterpret_cast<const __m256i *>(words)));
#else
  auto low = [](uint32_t word) { return int32_t(static_cast<int16_t>(word)); };
  auto high = [](uint32_t word) { return static_cast<int32_t>(word) >> 16; };
  for (size_t i = 0; i < columns; ++i)
    sums[i] += static_cast<uint32_t>(low(pair) * low(words[i])) +
               static_cast<uint32_t>(high(pair) * high(words[i]));
#endif
}

/// Adds the product of 8 rows of A and 8 columns of B, 16 deep. Word 4 * i + k
/// of `a` is part k of row i, word 8 * k + j of `b` part k of column j. Not
/// inlined, since compilers then keep `a` in wide registers, and to take words
/// out of those costs more than to load them.
__attribute__((noinline)) void addProduct(const Halves &a, const Halves &b,
                                          uint32_t *sums) {
  for (size_t row = 0; row < 8; ++row) {
    alignas(32) uint32_t rowSums[columns];
    __builtin_memcpy(rowSums, sums + columns * row, sizeof(rowSums));
    for (size_t part = 0; part < 4; ++part) {
      addProducts(rowSums, a.even[4 * row + part], b.even + columns * part);
      addProducts(rowSums, a.odd[4 * row + part], b.odd + columns * part);
    }
    __builtin_memcpy(sums + columns * row, rowSums, sizeof(rowSums));
  }
}

/// A register of A is 8 rows of 16 bytes one after the other, one of B 8
/// columns; two registers of C or D have the even and the odd columns of 8
/// rows. All instructions are made of such parts.
template <class A, class B>
Status runMma(Warp &warp, const Code &code, uint32_t mask) {
  if (mask != ~0u)
    return raise(warp, code, FaultKind::Shuffle,
                 static_cast<uint32_t>(__builtin_ctz(mask)),
                 "a product of matrices needs all 32 threads of the warp");
  size_t bands = (code.detail & 1) != 0 ? 2 : 1;
  size_t steps = (code.detail & 2) != 0 ? 2 : 1;
  const Reference *d = warp.lists + code.listBegin;
  const Reference *a = d + 2 * bands;
  const Reference *b = a + bands * steps;
  const Reference *c = b + steps;
  alignas(64) uint32_t sums[2][2 * warpSize];
  for (size_t band = 0; band < bands; ++band) {
    const auto *even = words<uint32_t>(warp, c[2 * band]);
    const auto *odd = words<uint32_t>(warp, c[2 * band + 1]);
    GENSYN_LANES_LOOP
    for (size_t i = 0; i < warpSize; ++i) {
      sums[band][2 * i] = even[i];
      sums[band][2 * i + 1] = odd[i];
    }
  }
  for (size_t step = 0; step < steps; ++step) {
    // Word 4 * j + k to 8 * k + j: a rotation of the number by two bits.
    alignas(64) uint32_t half[warpSize], turned[warpSize];
    Halves left, right;
    unzip<warpSize / 2>(words<uint32_t>(warp, b[step]), half,
                        half + warpSize / 2);
    unzip<warpSize / 2>(half, turned, turned + warpSize / 2);
    split<B>(turned, right);
    for (size_t band = 0; band < bands; ++band) {
      split<A>(words<uint32_t>(warp, a[bands * step + band]), left);
      addProduct(left, right, sums[band]);
    }
  }
  for (size_t band = 0; band < bands; ++band)
    unzip<warpSize>(sums[band], words<uint32_t>(warp, d[2 * band]),
                    words<uint32_t>(warp, d[2 * band + 1]));
  return Status::Continue;
}

} // namespace

Handler selectMatrix(const Selector &selector) {
  if (selector.op != Op::Mma)
    return nullptr;
  bool isSigned = selector.source == Type::S8;
  if (selector.type == Type::S8)
    return isSigned ? runMma<int8_t, int8_t> : runMma<int8_t, uint8_t>;
  return isSigned ? runMma<uint8_t, int8_t> : runMma<uint8_t, uint8_t>;
}

} // namespace gensyn::ptx::GENSYN_LANES
