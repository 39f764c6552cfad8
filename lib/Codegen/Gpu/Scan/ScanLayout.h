// Assigns the rows of a scan to threads.

#ifndef GENSYN_LIB_CODEGEN_GPU_SCANLAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_SCANLAYOUT_H

#include "gensyn/Codegen/Gpu/Schedule.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace gensyn::gpu {

struct ScanLayout {
  repro::ScanOp scan;
  mlir::Type element;
  /// Rows, their elements, and elements from one of a row to the next.
  llvm::SmallVector<int64_t> rowExtents;
  int64_t rows = 1, extent = 0, stride = 1;
  /// True if prefixes may be joined in any way: integers, max and min.
  bool isFree = false;
  int64_t warpSize = 32; ///< the target's
  /// Elements whose prefixes start from the identity: the order's blocks; where
  /// it is free, what a block of threads scans.
  int64_t block = 0;

  // Walks: a thread has a block of a row (a unit), or many threads' units are
  // brought through shared memory.
  /// Units of a warp, a power of two, and the elements of each in shared memory
  /// at once; 0: threads read what they need.
  int64_t staged = 0;
  int64_t staging() const {
    const auto columns =
        static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(block)));
    return std::clamp<int64_t>(columns, 256 / staged, 1024 / staged);
  }

  // Free scans along the last dimension: by lanes. A row, or a block of it, has
  // `group` lanes of a warp or `warps` warps, of which each thread takes
  // `stripes` elements a step.
  bool isLanes = false;
  int64_t group = 32, warps = 1, stripes = 1;
  int64_t perStep() const { return group * warps * stripes; }

  int64_t blocks() const { return (extent + block - 1) / block; }
  int64_t units() const { return rows * blocks(); }
};

/// Nothing where the kernel is no scan of at least one element, or a free one
/// has no order that it needs.
std::optional<ScanLayout> chooseScanLayout(repro::KernelOp kernel,
                                           const Target &target);

} // namespace gensyn::gpu

#endif
