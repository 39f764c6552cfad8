// What schedules know of a GPU generation.

#ifndef GENSYN_CODEGEN_GPU_TARGET_H
#define GENSYN_CODEGEN_GPU_TARGET_H

#include <cstdint>

namespace gensyn::gpu {

/// A GPU generation by its number: 75, 80, 86, 89, 90, 100, 120. All it says is
/// for speed: no answer may change a result.
struct Target {
  int sm = 90;

  /// cp.async from global to shared memory.
  bool hasAsyncCopy() const { return sm >= 80; }
  /// f64 arithmetic at half the rate of f32; elsewhere at 1/32 or 1/64.
  bool hasFastDouble() const { return sm == 80 || sm == 90 || sm == 100; }
  /// Bytes of one memory access of a thread.
  int64_t accessBytes() const { return 16; }
  /// Shared memory that one block may ask for, in bytes (CUDA C++ programming
  /// guide, technical specifications per compute capability).
  int64_t sharedBytes() const {
    switch (sm) {
    case 75:
      return 64 << 10;
    case 80:
      return 163 << 10;
    case 90:
    case 100:
      return 227 << 10;
    default:
      return 99 << 10;
    }
  }
};

/// Threads of a warp, everywhere.
inline constexpr int64_t kWarp = 32;
/// Shared memory that needs no attribute on the kernel, in bytes.
inline constexpr int64_t kStaticSharedBytes = 48 << 10;

} // namespace gensyn::gpu

#endif
