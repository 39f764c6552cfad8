// The kernels that a plan runs once per set of parameters.

#ifndef GENSYN_LIB_CODEGEN_PLAN_PREPAREDKERNELS_H
#define GENSYN_LIB_CODEGEN_PLAN_PREPAREDKERNELS_H

#include "gensyn/Codegen/Plan/Plan.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace gensyn::codegen {

/// Finds the values of a function that last across runs: constants, inputs that
/// are kept and not replaced, and results of kernels that depend on these
/// alone. Decides which of those kernels prepare as a whole, and marks the
/// operands of others of which launches prepare a part (kLastingAttr).
///
/// Everything prepares if what runs read is within the limit of `options`.
/// Otherwise what comes first in the text does, as long as there is room for
/// all that was prepared. Each kernel has a copy of its own of an operand, and
/// copies compete for the caches. So no part of a kernel is prepared from an
/// operand of which more than two kernels would have a copy, as the steps of an
/// unrolled recurrence would.
class PreparedKernels {
public:
  PreparedKernels(mlir::func::FuncOp function, const PlanOptions &options);

  /// True if all launches of the kernel prepare.
  bool contains(repro::KernelOp kernel) const {
    return kernels.contains(kernel);
  }

private:
  void choose(uint64_t limit);
  void findOftenCopied();
  bool isLasting(mlir::Value value) const;
  bool isReadByRuns(mlir::Value value) const;
  uint64_t countKeptBytes() const;
  bool reserve(uint64_t bytes);
  void visit(mlir::Block &block);
  void visit(repro::KernelOp kernel);
  bool mayPrepare(repro::KernelOp kernel) const;

  mlir::func::FuncOp function;
  const PlanOptions &options;
  uint64_t left = 0; ///< bytes within the limit
  llvm::DenseSet<mlir::Value> lasting;
  llvm::DenseSet<mlir::Value> oftenCopied;
  llvm::SetVector<mlir::Operation *> kernels;
  /// Of marked kernels: the bytes that they prepare, and the operands that
  /// their launches in a run do not read.
  struct Part {
    uint64_t bytes;
    llvm::SmallVector<unsigned> unread;
  };
  llvm::MapVector<mlir::Operation *, Part> parts;
};

} // namespace gensyn::codegen

#endif
