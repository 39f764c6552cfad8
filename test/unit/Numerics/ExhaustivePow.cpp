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
        PowPairs pairs(block);
        for (uint64_t i = 0; i < kBlock; ++i)
          pairs.next(x[i], y[i]);
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
