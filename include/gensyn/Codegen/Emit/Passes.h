// Passes that the code generators share.

#ifndef GENSYN_CODEGEN_EMIT_PASSES_H
#define GENSYN_CODEGEN_EMIT_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn::emit {

#define GEN_PASS_DECL
#include "gensyn/Codegen/Emit/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "gensyn/Codegen/Emit/Passes.h.inc"

} // namespace gensyn::emit

#endif
