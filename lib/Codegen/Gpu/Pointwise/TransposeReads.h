// Finds the elements that the results of a pointwise kernel read.

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

/// A read of an argument of the kernel at constant + the sum of digits of the
/// linear index of a result's element. The digits ascend and do not overlap.
struct TransposeRead {
  mlir::Value tensor;
  int64_t constant = 0;
  llvm::SmallVector<TransposeDigit> digits;
  bool operator==(const TransposeRead &) const = default;
};

/// Returns the read of `tensor` at `form` by results of `elements` elements;
/// std::nullopt if `form` is not a sum of such digits.
std::optional<TransposeRead> readAt(mlir::Value tensor,
                                    const PointwiseEmitter::Form &form,
                                    int64_t elements);

/// Returns the distinct reads of each result of the kernel. Omits reads at
/// other positions and reads in nested regions.
llvm::SmallVector<llvm::SmallVector<TransposeRead>>
findReads(repro::KernelOp kernel, const Target &target);

} // namespace gensyn::gpu

#endif
