// Values of any width from another lane of the warp.

#ifndef GENSYN_LIB_CODEGEN_GPU_COMMON_WARPSHUFFLE_H
#define GENSYN_LIB_CODEGEN_GPU_COMMON_WARPSHUFFLE_H

#include "KernelBuilder.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace gensyn::gpu {

/// Emits `shfl.sync` for a float or integer of up to 32 bits, and two of them
/// for one of 64. `lane` and `clamp` (i32) are the instruction's b and c. All
/// 32 lanes must reach it.
mlir::Value emitShuffle(KernelBuilder &b, mlir::Value value, mlir::Value lane,
                        mlir::Value clamp, mlir::NVVM::ShflKind kind);

} // namespace gensyn::gpu

#endif
