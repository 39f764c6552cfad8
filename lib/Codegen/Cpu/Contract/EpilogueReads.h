// The elements of other tensors that the epilogue or a prologue of a
// contraction accesses, as functions of the position in the contraction's
// result or operand.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_EPILOGUEREADS_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_EPILOGUEREADS_H

#include "gensyn/Codegen/Contraction/GemmView.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <optional>

namespace gensyn::cpu {

/// An index of a tensor: position / unit % extent.
struct Digit {
  int64_t unit = 1, extent = 1;
  bool operator==(const Digit &) const = default;
};
/// The indices of an element, outermost first: dense, row-major. Neighbours
/// that are one index of the position are joined, and extents of 1 left out, so
/// equal digits are equal elements.
using Digits = llvm::SmallVector<Digit, 4>;

/// An argument of a kernel that its epilogue or a prologue reads.
struct TensorRead {
  unsigned argument;
  Digits digits;
};

/// Returns the arguments that the other ops of a kernel with the contraction
/// read, in ascending order; std::nullopt unless every value that they need is
/// computed by elementwise ops, splat constants, broadcasts and reshapes from
/// one element of each argument and of the contraction's result, where that is
/// in place, and no op may fault.
std::optional<llvm::SmallVector<TensorRead>>
findEpilogueReads(repro::KernelOp kernel, repro::ContractOp contraction);

/// The same for the ops that compute an operand of the contraction, as
/// functions of the position in the operand.
std::optional<llvm::SmallVector<TensorRead>>
findPrologueReads(repro::KernelOp kernel, mlir::Value operand);

/// True if all elements of the tensor are read, in order.
bool isWhole(const Digits &digits, mlir::Value tensor);

/// Strides of a tensor, in elements, along the axes of a view.
struct EpilogueStrides {
  llvm::SmallVector<int64_t, 4> batch, rows, columns;
  /// 1: a vector of the run is a vector of the tensor; 0: it is one element.
  int64_t run = 0;
  int64_t offset = 0;
};

/// Returns the strides of the tensor at these digits of the position in C;
/// std::nullopt if its elements are not at such strides, or the lanes of a run
/// neither adjacent nor one element. The run must have stride 1 in C.
std::optional<EpilogueStrides> findStrides(const Digits &digits,
                                           const codegen::GemmView &view);

/// Strides of a tensor that a prologue reads, along the axes of an operand; the
/// member `b` of each axis.
struct PrologueStrides {
  codegen::GemmAxes batch, outer; ///< `outer`: rows of A, columns of B
  codegen::GemmAxes run;          ///< of B
  codegen::GemmAxes points;       ///< the view's, some divided
  int64_t offset = 0;
};

/// Returns the strides at these digits of the position in A or B; std::nullopt
/// if the tensor's elements are not at such strides.
std::optional<PrologueStrides> findStrides(const Digits &digits,
                                           const codegen::GemmView &view,
                                           codegen::GemmTensor tensor);

} // namespace gensyn::cpu

#endif
