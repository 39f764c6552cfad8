// The parts of a scatter, and which threads have them.

#ifndef GENSYN_LIB_CODEGEN_GPU_SCATTERLAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_SCATTERLAYOUT_H

#include "SegmentSort.h"

namespace gensyn::gpu {

/// The trailing dimensions that updates and result have in common are a row, of
/// one element where there are none. The leading ones number the updates, and
/// an update's indices name its row of the result, its target.
struct ScatterLayout {
  repro::ScatterOp scatter;
  /// Extents of the dimensions that number updates, and rows of the result.
  llvm::SmallVector<int64_t> updateExtents, rowExtents;
  int64_t updates = 1, rows = 1, row = 1;
  /// Neighbours of a row that a thread has.
  int64_t width = 1;
  /// Updates of one target that are read at once.
  int64_t together = 16;
  /// Of the updates by their targets.
  SegmentSort sort;

  /// There is nothing but the base.
  bool isCopy() const { return updates == 0 || row == 0; }
  /// One launch has base and update.
  bool isSingle() const { return updates == 1 && row > 0 && rows > 0; }
  int64_t pieces() const { return row / width; }
  int64_t elements() const { return rows * row; }
};

/// Nothing where the kernel is no scatter, or has more than 2^29 updates, or
/// 2^31 - 1 rows of the result and more.
std::optional<ScatterLayout> layOutScatter(repro::KernelOp kernel,
                                           const Target &target);

} // namespace gensyn::gpu

#endif
