// repro.kernel -> functions over buffers, one linalg.generic each.

#ifndef GENSYN_CONVERSION_REPROTOLINALG_REPROTOLINALG_H
#define GENSYN_CONVERSION_REPROTOLINALG_REPROTOLINALG_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn {

#define GEN_PASS_DECL
#include "gensyn/Conversion/ReproToLinalg/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "gensyn/Conversion/ReproToLinalg/Passes.h.inc"

/// Emits the kernel as one linalg.generic at the insertion point of `builder`:
/// its parallel iterators are the dimensions of the results, its body computes
/// one element of each and there are no inputs but buffers that the body reads.
/// `inputs` and `outputs` are memrefs of the buffer types of the kernel's
/// operands and results. Fails, after an error, where an op has no element
/// form.
llvm::LogicalResult emitKernelAsLinalg(repro::KernelOp kernel,
                                       mlir::ValueRange inputs,
                                       mlir::ValueRange outputs,
                                       mlir::OpBuilder &builder);

/// The kernel as a function of that body: arguments are inputs, then outputs.
/// It is named after the kernel and added at the end of `module`.
llvm::FailureOr<mlir::func::FuncOp>
convertKernelToLinalg(repro::KernelOp kernel, mlir::ModuleOp module);

} // namespace gensyn

#endif
