// From accumulators to the results of a kernel.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTEPILOGUE_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTEPILOGUE_H

#include "ContractEmitter.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

namespace gensyn::gpu {

/// Writes the results of a kernel of form Contraction for one thread: of each
/// of its elements the contraction's value (a zero as +0, contract_r3), what
/// the kernel computes of it, and stores of 4 neighbours at once where C and
/// everything read beside it allow. Where much is computed of an element, the
/// accumulators go through shared memory, each thread's to itself, so that the
/// code is there once and not for each of them.
class ContractEpilogue {
public:
  ContractEpilogue(KernelBuilder &k, repro::KernelOp kernel,
                   const repro::KernelForm &form, const Target &target,
                   const KernelFunction &function, const GemmView &view,
                   const ContractSizes &sizes)
      : k(k), kernel(kernel), form(form), target(target), function(function),
        view(view), sizes(sizes) {}

  /// `accumulators` are those of `place`'s thread. Fails after an error.
  llvm::LogicalResult emit(const ContractEmitter::Values &accumulators,
                           const ContractEmitter &place, ContractSide &a,
                           ContractSide &b);

  /// The shared memory that `emit` needs, in bytes.
  static int64_t sharedBytes(repro::KernelOp kernel,
                             const ContractSizes &sizes);

private:
  /// Rows or columns: how far they are in C, and whether they are there.
  struct Position {
    mlir::Value offset, valid;
    llvm::SmallVector<mlir::Value, 2> checks;
  };
  Position locate(const GemmAxes &axes, mlir::Value number, int64_t extent);
  int64_t chooseLanes(const ContractSide &b);
  /// Adds the batch and stores where row and column are there.
  llvm::LogicalResult storeAt(const Position &row, const Position &column,
                              mlir::Value accumulator, int64_t lanes);
  llvm::LogicalResult emitRolled(const ContractEmitter::Values &accumulators,
                                 const ContractEmitter &place, ContractSide &a,
                                 ContractSide &b, int64_t lanes);
  void placeBatch(const ContractEmitter &place);
  llvm::LogicalResult store(mlir::Value accumulator, mlir::Value position,
                            int64_t lanes);

  KernelBuilder &k;
  repro::KernelOp kernel;
  const repro::KernelForm &form;
  const Target &target;
  const KernelFunction &function;
  const GemmView &view;
  const ContractSizes &sizes;
  Position batch; ///< valid is null
};

} // namespace gensyn::gpu

#endif
