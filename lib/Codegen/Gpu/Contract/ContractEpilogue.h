// The epilogue of a contraction: computes a kernel's results from accumulators.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTEPILOGUE_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTEPILOGUE_H

#include "ContractEmitter.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

namespace gensyn::gpu {

/// Writes the results of a kernel of form Contraction for one thread: computes
/// them from the contraction's elements (zeros as +0, contract_r3) and stores
/// as many adjacent elements at once as a thread has, 2 or 4, if the layout of
/// C and of the other operands allows. If the epilogue of an element is long,
/// each thread passes its accumulators through its own part of shared memory,
/// so that the code is emitted once in a loop instead of once per accumulator.
class ContractEpilogue {
public:
  ContractEpilogue(KernelBuilder &k, repro::KernelOp kernel,
                   const repro::KernelForm &form, const Target &target,
                   const KernelFunction &function, const GemmView &view,
                   const ContractSizes &sizes)
      : k(k), kernel(kernel), form(form), target(target), function(function),
        view(view), sizes(sizes),
        offsets(k.offsets(sizes.isWide(view, GemmTensor::C))) {}

  /// `accumulators` are those that `place` emitted. Fails after an error.
  llvm::LogicalResult emit(const ContractEmitter::Values &accumulators,
                           const ContractEmitter &place, ContractSide &a,
                           ContractSide &b);

  /// The same of a vector of sums (ContractEmitter::emitSum).
  llvm::LogicalResult emitVector(const ContractEmitter::Values &sums,
                                 const ContractEmitter &place, ContractSide &a,
                                 ContractSide &b);

  /// Returns the bytes of shared memory that `emit` needs.
  static int64_t sharedBytes(repro::KernelOp kernel,
                             const ContractSizes &sizes);

private:
  /// The offset of a row or column in C, and whether it exists.
  struct Position {
    mlir::Value offset, valid;
    llvm::SmallVector<mlir::Value, 2> checks;
  };
  Position locate(const GemmAxes &axes, mlir::Value number, int64_t extent);
  int64_t chooseLanes(const ContractSide &b);
  /// Adds the offset of the batch, and stores if row and column exist.
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
  const codegen::IndexBuilder &offsets; ///< of results
  Position batch;                       ///< its `valid` is null
};

} // namespace gensyn::gpu

#endif
