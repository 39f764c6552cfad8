// The elements that results of a pointwise kernel read.

#ifndef GENSYN_LIB_CODEGEN_GPU_TRANSPOSEREADS_H
#define GENSYN_LIB_CODEGEN_GPU_TRANSPOSEREADS_H

#include "../Common/PointwiseEmitter.h"

#include <optional>

namespace gensyn::gpu {

/// coefficient * (number floordiv divisor mod extent).
struct TransposeDigit {
  int64_t coefficient = 1, divisor = 1, extent = 1;
  bool operator==(const TransposeDigit &) const = default;
};

/// An argument of the kernel at the place constant + the sum of digits of the
/// number of a result's element. The digits ascend and do not overlap.
struct TransposeRead {
  mlir::Value tensor;
  int64_t constant = 0;
  llvm::SmallVector<TransposeDigit> digits;
  bool operator==(const TransposeRead &) const = default;
};

/// The read of `tensor` at `form`, where results have `elements` elements;
/// nothing where that is no sum of such digits.
std::optional<TransposeRead> readAt(mlir::Value tensor,
                                    const PointwiseEmitter::Form &form,
                                    int64_t elements);

/// The different reads of each result of the kernel; those that are no such
/// sums, or that code in a nested region does, are left out.
llvm::SmallVector<llvm::SmallVector<TransposeRead>>
findReads(repro::KernelOp kernel, const Target &target);

} // namespace gensyn::gpu

#endif
