// Entries of kernels that a schedule takes.

#ifndef GENSYN_LIB_CODEGEN_GPU_EMITKERNEL_H
#define GENSYN_LIB_CODEGEN_GPU_EMITKERNEL_H

#include "gensyn/Codegen/Gpu/Schedule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gensyn::gpu {

/// The name of launch `launch` of a kernel called `name`.
std::string nameEntry(llvm::StringRef name, const LaunchPlan &launch);

/// Adds an entry per launch of the kernel to `module`, as functions of the llvm
/// dialect whose bodies are the schedule's. Fails after an error.
llvm::LogicalResult emitEntries(repro::KernelOp kernel, llvm::StringRef name,
                                const ScheduleChoice &choice,
                                const Target &target,
                                mlir::gpu::GPUModuleOp module);

} // namespace gensyn::gpu

#endif
