// Passes of the NVVM target.

#ifndef GENSYN_CODEGEN_GPU_NVVM_PASSES_H
#define GENSYN_CODEGEN_GPU_NVVM_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace gensyn::gpu {

#define GEN_PASS_DECL
#include "gensyn/Codegen/Gpu/Nvvm/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "gensyn/Codegen/Gpu/Nvvm/Passes.h.inc"

} // namespace gensyn::gpu

#endif
