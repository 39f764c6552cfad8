// Passes that map a function of kernels to the cores of a machine, in the order
// in which they run.

#ifndef GENSYN_CODEGEN_MAPPING_PASSES_H
#define GENSYN_CODEGEN_MAPPING_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn::mapping {

#define GEN_PASS_DECL
#include "gensyn/Codegen/Mapping/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "gensyn/Codegen/Mapping/Passes.h.inc"

} // namespace gensyn::mapping

#endif
