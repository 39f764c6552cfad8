// From entries and functions of kernels to the target's dialect.

#ifndef GENSYN_CODEGEN_GPU_LOWER_H
#define GENSYN_CODEGEN_GPU_LOWER_H

#include "gensyn/Codegen/Gpu/Target.h"

namespace gensyn::gpu {

/// Adds the passes that lower a module as gensyn-emit-gpu-kernels leaves it to
/// a `gpu.module` of llvm ops and those of the target's dialect.
void addLoweringPasses(mlir::OpPassManager &passes, const Target &target);

} // namespace gensyn::gpu

#endif
