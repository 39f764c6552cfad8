// Entries of kernels that a schedule takes.

#ifndef GENSYN_LIB_CODEGEN_GPU_EMITKERNEL_H
#define GENSYN_LIB_CODEGEN_GPU_EMITKERNEL_H

#include "gensyn/Codegen/Gpu/Schedule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gensyn::gpu {

/// Emits a kernel by the schedule that was chosen: an entry per launch in
/// `entries`, as functions of the llvm dialect; the baseline as a function over
/// memrefs at the end of `module`, which gensyn-map-kernels-to-gpu makes an
/// entry of. Fails after an error.
llvm::LogicalResult emitKernel(repro::KernelOp kernel, llvm::StringRef name,
                               const ScheduleChoice &choice,
                               const Target &target, mlir::ModuleOp module,
                               mlir::gpu::GPUModuleOp entries);

} // namespace gensyn::gpu

#endif
