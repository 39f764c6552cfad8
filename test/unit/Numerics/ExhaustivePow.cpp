// gensyn-exhaustive: pow on random and chosen pairs.

#include "Exhaustive.h"
#include "Independent.h"

#include "gensyn/Numerics/Functions/Pow.h"
#include "gensyn/Numerics/Native.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <random>

namespace gensyn::exhaustive {

namespace {
constexpr uint64_t kBlock = 4096;

using Loop = void (*)(const float *x, const float *y, float *z);
#define GENSYN_POW_LOOP(name, attributes)                                      \
  attributes void name(const float *x, const float *y, float *z) {             \
    for (uint64_t i = 0; i < kBlock; ++i)                                      \
      z[i] = functions::pow(Native(), x[i], y[i]);                             \
  }
GENSYN_POW_LOOP(baseline, )
#if defined(__x86_64__)
GENSYN_POW_LOOP(avx2, __attribute__((flatten, target("avx2,fma"))))
GENSYN_POW_LOOP(avx512,
                __attribute__((flatten,
                               target("avx512f,avx512dq,avx512vl,fma"))))
#endif

Loop chooseLoop() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return avx2;
#endif
  return baseline;
}

/// A block's pairs, from its number alone.
class Pairs {
public:
  explicit Pairs(uint64_t block) : random(block + 1) {}

  /// Any bits: mostly powers out of range, and all special values.
  void any(float &x, float &y) {
    x = ofBits(random());
    y = ofBits(random() >> 32);
  }

  /// A power in range, or just out of it, of any x; a third of them of an x
  /// near 1, where y is large.
  void inRange(float &x, float &y) {
    x = ofBits(random() % 0x7F800000);
    if (random() % 3 == 0)
      x = 1 + std::ldexp(static_cast<float>(random() % (1 << 24)) - 0x1p23f,
                         -24 - static_cast<int>(random() % 4));
    const double exponent =
        std::ldexp(static_cast<double>(random() >> 11), -53) * 300 - 160;
    y = static_cast<float>(exponent / std::log2(static_cast<double>(x)));
  }

  /// Roots' powers: r^(2^k) to the power of n / 2^k, with any power of two
  /// beside, which is exact, often a tie; or one of the two moved to a
  /// neighbour, or an integer or half-integer power of any x.
  void exact(float &x, float &y) {
    const uint64_t choice = random() % 8;
    if (choice == 0) { // whole powers
      x = ofBits(random() % 0x7F800000);
      y = static_cast<float>(random() % 129) - 64;
    } else if (choice == 1) {
      x = ofBits(random() % 0x7F800000);
      y = static_cast<float>(random() % 257) / 2 - 64;
    } else if (choice == 2) {
      x = kSpecial[random() % std::size(kSpecial)];
      y = kSpecial[random() % std::size(kSpecial)];
      if (random() % 2)
        (random() % 2 ? x : y) = ofBits(random());
    } else {
      const int k = static_cast<int>(random() % 4);
      const int limit[] = {5793, 4095, 63, 7}; // r^(2^k) < 2^24, or r^2 < 2^25
      const int r = 1 + 2 * static_cast<int>(
                                random() % static_cast<uint64_t>(limit[k] / 2));
      double base = r;
      for (int i = 0; i < k; ++i)
        base *= base;
      int n = 1;
      for (double power = r; power < 0x1p25 && n < 30; power *= r)
        ++n;
      n = 1 + static_cast<int>(random() % static_cast<uint64_t>(n));
      const int e = static_cast<int>(random() % 320) - 160;
      y = std::ldexp(static_cast<float>(n), -k);
      x = static_cast<float>(std::ldexp(base, (e / n) * (1 << k)));
      if (choice == 3)
        x = neighbour(x);
      if (choice == 4)
        y = neighbour(y);
    }
    if (random() % 4 == 0)
      x = -x;
    if (choice < 3 && random() % 2)
      y = -y;
  }

private:
  static float ofBits(uint64_t bits) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  }
  float neighbour(float x) {
    return std::nextafter(x, random() % 2 ? INFINITY : -INFINITY);
  }

  static constexpr float kSpecial[] = {0.0f,
                                       0x1p-149f,
                                       0x1.fffffcp-127f,
                                       0x1p-126f,
                                       0x1p-24f,
                                       0.25f,
                                       0.5f,
                                       0x1.fffffep-1f,
                                       1.0f,
                                       0x1.000002p0f,
                                       1.5f,
                                       2.0f,
                                       3.0f,
                                       7.0f,
                                       127.0f,
                                       128.0f,
                                       149.0f,
                                       150.0f,
                                       0x1.fffffep22f,
                                       0x1p23f,
                                       0x1.000002p23f,
                                       0x1.fffffep23f,
                                       0x1p24f,
                                       0x1.fffffep127f,
                                       INFINITY,
                                       NAN,
                                       -1.0f,
                                       -0.0f};

  std::mt19937_64 random;
};

uint32_t bitsOf(float y) {
  return y != y ? 0x7FC00000u : std::bit_cast<uint32_t>(y);
}
} // namespace

bool checkPow(const Settings &settings) {
  const Loop loop = chooseLoop();
  const independent::Binary library = independent::llvmPow();
  if (!library && !independent::haveMpfr()) {
    std::printf("| pow | 0 | - | - | 0 | 0 |\n");
    return true; // the header says why
  }
  const uint64_t blocks = (settings.powPairs + kBlock - 1) / kBlock;
  // MPFR looks at every block's first pairs, so that there are `samples` in
  // all.
  const uint64_t sampled =
      library ? (settings.samples + blocks - 1) / std::max<uint64_t>(1, blocks)
              : kBlock;
  Tally tally;
  const double seconds =
      inParallel(settings.threads, blocks, [&](uint64_t block) {
        float x[kBlock], y[kBlock], z[kBlock];
        Pairs pairs(block);
        for (uint64_t i = 0; i < kBlock; ++i) {
          if (i % 3 == 0)
            pairs.any(x[i], y[i]);
          else if (i % 3 == 1)
            pairs.inRange(x[i], y[i]);
          else
            pairs.exact(x[i], y[i]);
        }
        loop(x, y, z);
        uint64_t toMpfr = 0, libraryWrong = 0;
        for (uint64_t i = 0; i < kBlock; ++i) {
          const auto got = std::bit_cast<uint32_t>(z[i]);
          const uint32_t want = library ? bitsOf(library(x[i], y[i])) : ~got;
          const bool differs = library && want != got;
          if (!differs && (i >= sampled || !independent::haveMpfr()))
            continue;
          uint32_t truth = want;
          if (independent::haveMpfr()) {
            ++toMpfr;
            truth = independent::roundExactPow(x[i], y[i]);
            libraryWrong += library && want != truth;
          }
          if (truth != got) {
            char text[96];
            std::snprintf(text, sizeof text,
                          "pow(%08x, %08x): got %08x want %08x",
                          std::bit_cast<uint32_t>(x[i]),
                          std::bit_cast<uint32_t>(y[i]), got, truth);
            tally.wrongResult(text);
          }
        }
        tally.inputs += kBlock;
        tally.toMpfr += toMpfr;
        std::lock_guard<std::mutex> guard(tally.lock);
        tally.libraryWrong += libraryWrong;
      });
  return printRow("pow", tally, library != nullptr, seconds);
}

} // namespace gensyn::exhaustive
