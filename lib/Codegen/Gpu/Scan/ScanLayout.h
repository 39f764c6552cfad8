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
  /// The number of rows, the elements of a row, and the stride between them.
  llvm::SmallVector<int64_t> rowExtents;
  int64_t rows = 1, extent = 0, stride = 1;
  /// True if prefixes may be combined in any order: integers, max and min.
  bool isFree = false;
  int64_t warpSize = 32; ///< the target's
  /// Elements of a block, whose prefixes start from the identity: a block of
  /// the order or, if it is free, the elements that a block of threads scans.
  int64_t block = 0;

  // Walks: a thread scans a block of a row (a unit), either directly or in
  // shared memory, through which a warp moves its threads' units.
  /// Units of a warp in shared memory, a power of two; 0: threads read global
  /// memory.
  int64_t staged = 0;
  int64_t staging() const {
    const auto columns =
        static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(block)));
    return std::clamp<int64_t>(columns, 256 / staged, 1024 / staged);
  }

  // Lanes: free scans along the last dimension. A row, or a block of it, is
  // scanned by `group` lanes of a warp or by `warps` warps, whose threads take
  // `stripes` elements each per step.
  bool isLanes = false;
  int64_t group = 32, warps = 1, stripes = 1;
  int64_t perStep() const { return group * warps * stripes; }

  int64_t blocks() const { return (extent + block - 1) / block; }
  int64_t units() const { return rows * blocks(); }
};

/// Returns std::nullopt unless the kernel is a scan of at least one element
/// that has an order if it needs one.
std::optional<ScanLayout> chooseScanLayout(repro::KernelOp kernel,
                                           const Target &target);

} // namespace gensyn::gpu

#endif
