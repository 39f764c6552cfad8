// Assigns the updates of a scatter to threads.

#ifndef GENSYN_LIB_CODEGEN_GPU_SCATTERLAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_SCATTERLAYOUT_H

#include "SegmentSort.h"

namespace gensyn::gpu {

constexpr int64_t kScatterThreads = 128;

/// The trailing dimensions that updates and result have in common form a row;
/// without such dimensions it is one element. The leading dimensions number the
/// updates. The indices of an update select a row of the result, its target.
struct ScatterLayout {
  repro::ScatterOp scatter;
  /// Extents of the leading dimensions of the updates, and of the result.
  llvm::SmallVector<int64_t> updateExtents, rowExtents;
  int64_t updates = 1, rows = 1, row = 1;
  /// Adjacent elements of a row per thread.
  int64_t width = 1;
  /// Updates of one target that are loaded at once.
  int64_t together = 16;
  /// Sorts the updates by their targets.
  SegmentSort sort;

  /// True if the result is a copy of the base.
  bool isCopy() const { return updates == 0 || row == 0; }
  /// True if one launch copies the base and applies the only update.
  bool isSingle() const { return updates == 1 && row > 0 && rows > 0; }
  int64_t pieces() const { return row / width; }
  int64_t elements() const { return rows * row; }
  /// Blocks of the launch that applies the only update: no more than fit beside
  /// each other, since most may find nothing to do.
  int64_t singleBlocks(const Target &target) const;
};

/// Returns std::nullopt unless the kernel is a scatter of at most 2^29 updates
/// to fewer than 2^31 - 1 rows.
std::optional<ScatterLayout> layOutScatter(repro::KernelOp kernel,
                                           const Target &target);

} // namespace gensyn::gpu

#endif
