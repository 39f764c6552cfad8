// A GPU generation as schedules see it.

#ifndef GENSYN_CODEGEN_GPU_TARGET_H
#define GENSYN_CODEGEN_GPU_TARGET_H

#include "gensyn/Machine/Gpu.h"

#include <cstdint>

namespace gensyn::gpu {

using Target = machine::Gpu;

/// Threads of a warp, everywhere.
inline constexpr int64_t kWarp = 32;
/// Bytes of one memory access of a thread, everywhere.
inline constexpr int64_t kAccessBytes = 16;
/// Shared memory that needs no attribute on the kernel, in bytes.
inline constexpr int64_t kStaticSharedBytes = 48 << 10;

} // namespace gensyn::gpu

#endif
