// From entries and functions of kernels to NVVM.

#ifndef GENSYN_CODEGEN_GPU_LOWER_H
#define GENSYN_CODEGEN_GPU_LOWER_H

#include "mlir/Pass/PassManager.h"

namespace gensyn::gpu {

/// Adds the passes that lower a module as gensyn-emit-gpu-kernels leaves it to
/// a `gpu.module` of llvm and nvvm ops.
void addLoweringPasses(mlir::OpPassManager &passes);

} // namespace gensyn::gpu

#endif
