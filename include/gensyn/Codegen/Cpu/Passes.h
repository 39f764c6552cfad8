// Passes of the CPU code generator, for inspection and tests.

#ifndef GENSYN_CODEGEN_CPU_PASSES_H
#define GENSYN_CODEGEN_CPU_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn::cpu {

/// On functions of kernels: the iterations that are handed to threads (i64).
inline constexpr llvm::StringLiteral kTilesAttr = "gensyn.tiles";

#define GEN_PASS_DECL
#include "gensyn/Codegen/Cpu/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "gensyn/Codegen/Cpu/Passes.h.inc"

} // namespace gensyn::cpu

#endif
