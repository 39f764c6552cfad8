// Division of sizes, rounded up.

#ifndef GENSYN_LIB_CODEGEN_CPU_COMMON_ROUNDING_H
#define GENSYN_LIB_CODEGEN_CPU_COMMON_ROUNDING_H

#include <cstdint>

namespace gensyn::cpu {

/// Returns the number of pieces of size y that cover x; x >= 0, y > 0.
constexpr int64_t ceilDiv(int64_t x, int64_t y) { return (x + y - 1) / y; }

} // namespace gensyn::cpu

#endif
