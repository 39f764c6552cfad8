// Passes of the CPU code generator, for inspection and tests.

#ifndef GENSYN_CODEGEN_CPU_PASSES_H
#define GENSYN_CODEGEN_CPU_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn::cpu {

#define GEN_PASS_DECL
#include "gensyn/Codegen/Cpu/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "gensyn/Codegen/Cpu/Passes.h.inc"

} // namespace gensyn::cpu

#endif
