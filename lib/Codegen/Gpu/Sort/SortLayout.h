// Assigns the rows of a sort op to threads.

#ifndef GENSYN_LIB_CODEGEN_GPU_SORTLAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_SORTLAYOUT_H

#include "SortSizes.h"

namespace gensyn::gpu {

/// Rows are those of the operand; `count` and `extent` are the op's.
struct SortLayout : SortSizes {
  repro::SortOp sort;
  llvm::SmallVector<int64_t> rowExtents;
  /// Stride between the elements of a row.
  int64_t stride = 1;

  /// True if adjacent threads read adjacent rows.
  bool isAcross() const { return stride > 1 && groups > 1 && runs.empty(); }
};

/// Returns std::nullopt unless the kernel is a sort of at least one element.
std::optional<SortLayout> chooseSortLayout(repro::KernelOp kernel,
                                           const Target &target);

} // namespace gensyn::gpu

#endif
