// Vectors of long elementwise code that are computed at once.

#ifndef GENSYN_LIB_CODEGEN_CPU_COMMON_INTERLEAVING_H
#define GENSYN_LIB_CODEGEN_CPU_COMMON_INTERLEAVING_H

#include "gensyn/Codegen/Cpu/Schedule.h"

namespace gensyn::cpu {

/// Returns how many vectors of f32 code of functions computes at once, a power
/// of two. A function is one chain of about thirty dependent operations, and a
/// processor sees the operations of few vectors ahead; interleaved vectors keep
/// it busy. They need the registers of 32, and emulated fma much code.
inline int64_t vectorsAtOnce(const Target &target) {
  return target.hasFma && target.vectorRegisters >= 32 ? 4 : 1;
}

} // namespace gensyn::cpu

#endif
