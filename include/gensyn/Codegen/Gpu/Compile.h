// Kernels to PTX, with what a launch needs to know.

#ifndef GENSYN_CODEGEN_GPU_COMPILE_H
#define GENSYN_CODEGEN_GPU_COMPILE_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace gensyn::gpu {

/// Threads of a block in the naive mapping.
inline constexpr int64_t kBlockSize = 128;

/// The grid and block of one kernel, x only; both are at least 1.
struct LaunchShape {
  int64_t grid = 1;
  int64_t block = kBlockSize;
};

/// One thread per element of the kernel's results.
LaunchShape getLaunchShape(repro::KernelOp kernel);

/// Lowers kernels with distinct names to a module with one `gpu.module` of NVVM
/// and LLVM ops, checked by `gensyn-verify-target-bits`. Every kernel is an
/// entry of its name with a pointer parameter per input, then per result.
/// Fails after an error.
llvm::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
lowerKernels(llvm::ArrayRef<repro::KernelOp> kernels);

} // namespace gensyn::gpu

#endif
