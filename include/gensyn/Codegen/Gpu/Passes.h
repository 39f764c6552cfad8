// Passes of the GPU code generator.

#ifndef GENSYN_CODEGEN_GPU_PASSES_H
#define GENSYN_CODEGEN_GPU_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn::gpu {

#define GEN_PASS_DECL
#include "gensyn/Codegen/Gpu/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "gensyn/Codegen/Gpu/Passes.h.inc"

/// On a kernel's function: its width of index, 32 or 64 (i32).
inline constexpr llvm::StringLiteral kIndexBitsAttr = "gensyn.index_bits";

} // namespace gensyn::gpu

#endif
