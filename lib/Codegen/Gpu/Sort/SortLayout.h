// The rows of a sort, and which threads have them.

#ifndef GENSYN_LIB_CODEGEN_GPU_SORTLAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_SORTLAYOUT_H

#include "SortSizes.h"

namespace gensyn::gpu {

/// A row is one of the operand; `count` and `extent` are the sort's.
struct SortLayout : SortSizes {
  repro::SortOp sort;
  llvm::SmallVector<int64_t> rowExtents;
  /// Elements from one of a row to the next.
  int64_t stride = 1;

  /// True if neighbouring threads read neighbouring rows.
  bool isAcross() const { return stride > 1 && groups > 1 && runs.empty(); }
};

/// Nothing where the kernel is no sort of at least one element.
std::optional<SortLayout> chooseSortLayout(repro::KernelOp kernel,
                                           const Target &target);

} // namespace gensyn::gpu

#endif
