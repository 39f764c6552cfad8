// Lowers entries and functions of kernels to the target's dialect.

#ifndef GENSYN_CODEGEN_GPU_LOWER_H
#define GENSYN_CODEGEN_GPU_LOWER_H

#include "gensyn/Codegen/Gpu/Target.h"

namespace gensyn::gpu {

/// Adds the passes that lower the output of gensyn-emit-gpu-kernels to a
/// `gpu.module` of llvm ops and ops of the target's dialect.
void addLoweringPasses(mlir::OpPassManager &passes, const Target &target);

} // namespace gensyn::gpu

#endif
