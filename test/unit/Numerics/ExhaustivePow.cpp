// gensyn-exhaustive: pow on random and chosen pairs.

#include "Exhaustive.h"
#include "Independent.h"
#include "PowPairs.h"

#include "gensyn/Numerics/Functions/Pow.h"
#include "gensyn/Numerics/Native.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace gensyn::exhaustive {

namespace {
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

uint32_t bitsOf(float y) {
  return y != y ? 0x7FC00000u : std::bit_cast<uint32_t>(y);
}
/// Blocks of pairs, their powers, and the oracle that computed them.
class Check {
public:
  /// MPFR checks the first `sampled` pairs of every block.
  explicit Check(uint64_t sampled) : sampled(sampled) {}

  /// fill(block, x, y) gives a block's pairs.
  template <class Fill>
  bool run(const std::string &name, int threads, uint64_t blocks, Fill fill) {
    const double seconds = inParallel(threads, blocks, [&](uint64_t block) {
      float x[kBlock], y[kBlock], z[kBlock];
      fill(block, x, y);
      loop(x, y, z);
      compare(x, y, z);
    });
    return printRow(name, tally, library != nullptr, seconds);
  }

private:
  void compare(const float *x, const float *y, const float *z) {
    uint64_t toMpfr = 0, libraryWrong = 0;
    for (uint64_t i = 0; i < kBlock; ++i) {
      const auto got = std::bit_cast<uint32_t>(z[i]);
      const uint32_t want = library ? bitsOf(library(x[i], y[i])) : ~got;
      const bool differs = library && want != got;
      if (!differs && (i >= sampled || !exact))
        continue;
      // LLVM's power of a signalling NaN to 0 is a NaN.
      if (!exact && (x[i] != x[i] || y[i] != y[i]))
        continue;
      uint32_t truth = want;
      if (exact) {
        ++toMpfr;
        truth = independent::roundExactPow(x[i], y[i]);
        libraryWrong += library && want != truth;
      }
      if (truth == got)
        continue;
      char text[96];
      std::snprintf(text, sizeof text, "pow(%08x, %08x): got %08x want %08x",
                    std::bit_cast<uint32_t>(x[i]),
                    std::bit_cast<uint32_t>(y[i]), got, truth);
      tally.wrongResult(text);
    }
    tally.inputs += kBlock;
    tally.toMpfr += toMpfr;
    std::lock_guard<std::mutex> guard(tally.lock);
    tally.libraryWrong += libraryWrong;
  }

  const uint64_t sampled;
  const Loop loop = chooseLoop();
  const independent::Binary library = independent::llvmPow();
  const bool exact = independent::haveMpfr();
  Tally tally;
};
} // namespace

bool checkPow(const Settings &settings) {
  if (!independent::llvmPow() && !independent::haveMpfr()) {
    std::printf("| pow | 0 | - | - | 0 | 0 |\n");
    return true; // the header says why
  }
  const uint64_t blocks = (settings.powPairs + kBlock - 1) / kBlock;
  const uint64_t sampled =
      independent::llvmPow()
          ? (settings.samples + blocks - 1) / std::max<uint64_t>(1, blocks)
          : kBlock;
  bool right = Check(sampled).run("pow", settings.threads, blocks,
                                  [](uint64_t block, float *x, float *y) {
                                    PowPairs pairs(block);
                                    for (uint64_t i = 0; i < kBlock; ++i)
                                      pairs.next(x[i], y[i]);
                                  });
  if (!independent::llvmPow())
    return right; // MPFR alone would take days
  // Every x to a few exponents: integers, a negative one, halves of one.
  for (float exponent : {3.0f, 64.0f, -5.0f, 1.5f}) {
    char name[24];
    std::snprintf(name, sizeof name, "pow(x, %g)",
                  static_cast<double>(exponent));
    const uint64_t all = (uint64_t{1} << 32) / kBlock / settings.stride;
    right &= Check(1).run(
        name, settings.threads, all, [&](uint64_t block, float *x, float *y) {
          const uint64_t first = block * settings.stride * kBlock;
          for (uint64_t i = 0; i < kBlock; ++i) {
            x[i] = std::bit_cast<float>(static_cast<uint32_t>(first + i));
            y[i] = exponent;
          }
        });
  }
  return right;
}

} // namespace gensyn::exhaustive
