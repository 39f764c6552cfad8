// The parallel loops of a kernel.

#ifndef GENSYN_CODEGEN_KERNEL_KERNELLOOPS_H
#define GENSYN_CODEGEN_KERNEL_KERNELLOOPS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::codegen {

/// The op of a kernel that computes its results column by column; null where
/// they are computed element by element. What the kernel yields is then the
/// results of that op.
repro::ColumnOpInterface getColumnOp(repro::KernelOp kernel);

/// What one parallel loop of a kernel computes: results of one shape, and the
/// extents of the loop, which are that shape or the columns. Empty is one.
struct KernelLoop {
  llvm::SmallVector<unsigned> results;
  llvm::SmallVector<int64_t> extents;

  int64_t getCount() const {
    int64_t count = 1;
    for (int64_t extent : extents)
      count *= extent;
    return count;
  }
};

/// The loops of a kernel, in the order of their first results: one where all
/// results have one shape, else one per shape and component (KernelForm.h).
/// They need nothing of each other and may run in any order.
llvm::SmallVector<KernelLoop> getParallelLoops(repro::KernelOp kernel);

/// The extents of the columns of a kernel that has them; see getColumnOp.
llvm::SmallVector<int64_t> getParallelExtents(repro::KernelOp kernel);

} // namespace gensyn::codegen

#endif
