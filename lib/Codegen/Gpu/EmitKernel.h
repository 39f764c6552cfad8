// Emits the entries of a kernel by its schedule.

#ifndef GENSYN_LIB_CODEGEN_GPU_EMITKERNEL_H
#define GENSYN_LIB_CODEGEN_GPU_EMITKERNEL_H

#include "gensyn/Codegen/Gpu/Schedule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gensyn::gpu {

/// Emits a kernel by the chosen schedule: an entry per launch in `entries`, as
/// a function of the llvm dialect. The baseline is emitted as a function over
/// memrefs at the end of `module`, which gensyn-map-kernels-to-gpu turns into
/// an entry. Fails after an error.
llvm::LogicalResult emitKernel(repro::KernelOp kernel, llvm::StringRef name,
                               const ScheduleChoice &choice,
                               const Target &target, mlir::ModuleOp module,
                               mlir::gpu::GPUModuleOp entries);

} // namespace gensyn::gpu

#endif
