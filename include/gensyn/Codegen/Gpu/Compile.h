// A function of kernels to a launch plan and a gpu.module in NVVM.

#ifndef GENSYN_CODEGEN_GPU_COMPILE_H
#define GENSYN_CODEGEN_GPU_COMPILE_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Runtime/plan.pb.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace gensyn::gpu {

/// Threads of a block in the naive mapping: a thread per element of a kernel's
/// results, so that any number is right; four warps give the scheduler of every
/// generation something to switch to.
inline constexpr int64_t kBlockSize = 128;

/// Lowers kernels to a module with one `gpu.module` of llvm and nvvm ops,
/// checked by `gensyn-verify-target-bits`. Kernel i becomes an entry of
/// `names[i]` with a pointer parameter per input, then per result.
/// Fails after an error.
llvm::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
lowerKernels(llvm::ArrayRef<repro::KernelOp> kernels,
             llvm::ArrayRef<std::string> names);

/// Fills buffers, launches and constants of `plan` for a function that
/// repro-form-kernels left, and returns the module with its kernels as
/// `lowerKernels` does. Equal kernels are one entry. The module is the same for
/// every GPU; translateToPtx writes it for one. Fails after an error.
llvm::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
compile(mlir::func::FuncOp function, plan::Plan &plan);

} // namespace gensyn::gpu

#endif
