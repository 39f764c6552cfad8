// The target of NVIDIA GPUs, by MLIR's NVVM dialect.

#ifndef GENSYN_LIB_CODEGEN_GPU_NVVM_NVVMTARGET_H
#define GENSYN_LIB_CODEGEN_GPU_NVVM_NVVMTARGET_H

#include "gensyn/Codegen/Gpu/Target.h"

#include <memory>

namespace gensyn::gpu {

std::unique_ptr<GpuTarget> createNvvmTarget(const machine::Gpu &gpu);

} // namespace gensyn::gpu

#endif
