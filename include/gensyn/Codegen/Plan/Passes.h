// Passes on a function of kernels before its plan is made.

#ifndef GENSYN_CODEGEN_PLAN_PASSES_H
#define GENSYN_CODEGEN_PLAN_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn::codegen {

#define GEN_PASS_DECL
#include "gensyn/Codegen/Plan/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "gensyn/Codegen/Plan/Passes.h.inc"

} // namespace gensyn::codegen

#endif
