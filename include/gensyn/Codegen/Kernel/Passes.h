// Passes that lower kernels for every target.

#ifndef GENSYN_CODEGEN_KERNEL_PASSES_H
#define GENSYN_CODEGEN_KERNEL_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn::codegen {

#define GEN_PASS_DECL
#include "gensyn/Codegen/Kernel/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "gensyn/Codegen/Kernel/Passes.h.inc"

} // namespace gensyn::codegen

#endif
