// Random sizes of the contraction schedule.

#ifndef GENSYN_TEST_UNIT_CODEGEN_CPU_CONTRACT_RANDOMSIZES_H
#define GENSYN_TEST_UNIT_CODEGEN_CPU_CONTRACT_RANDOMSIZES_H

#include "Contract/GemmSizes.h"

#include <cstdint>
#include <random>

namespace gensyn::cpu::testing {

/// Returns a number from `low` to `high`.
inline int64_t draw(std::mt19937 &random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % uint64_t(high - low + 1));
}

/// Returns small sizes, which need not divide the dimensions, with at most 14
/// vectors of sums.
inline GemmSizes drawSizes(std::mt19937 &random) {
  GemmSizes sizes;
  sizes.lanes = int64_t(1) << draw(random, 2, 4);
  sizes.nv = draw(random, 1, 4);
  sizes.mr = draw(random, 1, 14 / sizes.nv);
  sizes.kc = draw(random, 1, 30);
  sizes.rows = draw(random, 1, 20);
  sizes.tileRows = draw(random, 1, 20);
  sizes.packA = draw(random, 0, 1);
  sizes.packB = draw(random, 0, 1);
  return sizes;
}

} // namespace gensyn::cpu::testing

#endif
