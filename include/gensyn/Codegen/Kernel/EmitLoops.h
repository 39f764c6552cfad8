// Lowers repro.kernel to functions of parallel loops over buffers.

#ifndef GENSYN_CODEGEN_KERNEL_EMITLOOPS_H
#define GENSYN_CODEGEN_KERNEL_EMITLOOPS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Interfaces/ElementEmitter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace gensyn::codegen {

/// The buffers of a kernel: memrefs of the buffer types of its operands and
/// results, then a memref<1xi64> for each of its ops that may fault.
struct KernelBuffers {
  mlir::ValueRange inputs, outputs, faults;
};

/// Emits the kernel as parallel loops at the insertion point of `builder`. A
/// single loop (getParallelLoops) over elements becomes a linalg.generic: its
/// parallel iterators are the dimensions of the results, its body computes one
/// element of each result and reads buffers directly, so it has no inputs.
/// Columns, and each of several loops, become an scf.parallel, with one
/// iteration if there are no extents and omitted if there are no elements. A
/// loop's body does all its reads before its writes. Fails, after an error, if
/// an op has no such form.
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

/// Creates a function for the kernel whose arguments are the buffers. It is
/// named after the kernel and added at the end of `module`.
llvm::FailureOr<mlir::func::FuncOp>
convertKernelToLinalg(repro::KernelOp kernel, mlir::ModuleOp module);

} // namespace gensyn::codegen

#endif
