// The parallel loops of a kernel.

#ifndef GENSYN_CODEGEN_KERNEL_KERNELLOOPS_H
#define GENSYN_CODEGEN_KERNEL_KERNELLOOPS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::codegen {

/// Returns the op of a kernel that computes its results column by column; null
/// if they are computed element by element. The kernel then yields the results
/// of that op.
repro::ColumnOpInterface getColumnOp(repro::KernelOp kernel);

/// One parallel loop of a kernel: results of one shape, and the extents of the
/// loop, which are that shape or the columns. Without extents it has one
/// iteration.
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

/// Returns the loops of a kernel, in the order of their first results: one if
/// all results have the same shape, else one per shape and component
/// (KernelForm.h). They are independent and may run in any order.
llvm::SmallVector<KernelLoop> getParallelLoops(repro::KernelOp kernel);

/// Returns the extents of a kernel's columns; see getColumnOp.
llvm::SmallVector<int64_t> getParallelExtents(repro::KernelOp kernel);

} // namespace gensyn::codegen

#endif
