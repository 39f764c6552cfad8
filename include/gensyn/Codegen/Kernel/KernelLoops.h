// repro.kernel -> functions over buffers, made of parallel loops.

#ifndef GENSYN_CODEGEN_KERNEL_KERNELLOOPS_H
#define GENSYN_CODEGEN_KERNEL_KERNELLOOPS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn {

#define GEN_PASS_DECL
#include "gensyn/Codegen/Kernel/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "gensyn/Codegen/Kernel/Passes.h.inc"

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

/// The buffers of a kernel: memrefs of the buffer types of its operands and
/// results, then a memref<1xi64> for each of its ops that may fault.
struct KernelBuffers {
  mlir::ValueRange inputs, outputs, faults;
};

/// Emits the kernel as parallel loops at the insertion point of `builder`.
/// Where there is one (getParallelLoops) over elements: a linalg.generic whose
/// parallel iterators are the dimensions of the results, its body computes one
/// element of each and there are no inputs but buffers that the body reads.
/// Columns, and each of several loops: an scf.parallel, over one point where
/// there are no extents; none where there are no elements. A loop's body reads
/// all it needs before it writes. Fails, after an error, where an op has no
/// such form.
llvm::LogicalResult emitKernelAsLinalg(repro::KernelOp kernel,
                                       const KernelBuffers &buffers,
                                       mlir::OpBuilder &builder);

/// Calls `emit` with an emitter of the kernel's elements.
llvm::LogicalResult emitInKernel(
    repro::KernelOp kernel, const KernelBuffers &buffers,
    mlir::OpBuilder &builder,
    llvm::function_ref<llvm::LogicalResult(repro::ElementEmitter &)> emit);

/// Emits column `column` (one index per parallel extent) of a kernel that has
/// columns. Fails after an error.
llvm::LogicalResult emitKernelColumn(repro::KernelOp kernel,
                                     const KernelBuffers &buffers,
                                     mlir::ValueRange column,
                                     mlir::OpBuilder &builder);

/// The types of a kernel's buffers, in that order.
llvm::SmallVector<mlir::Type> getBufferTypes(repro::KernelOp kernel);

/// The kernel as a function of that body: arguments are the buffers.
/// It is named after the kernel and added at the end of `module`.
llvm::FailureOr<mlir::func::FuncOp>
convertKernelToLinalg(repro::KernelOp kernel, mlir::ModuleOp module);

} // namespace gensyn

#endif
