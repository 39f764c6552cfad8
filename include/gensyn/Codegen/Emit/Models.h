// External models of ElementOpInterface for every op of repro.

#ifndef GENSYN_CODEGEN_EMIT_MODELS_H
#define GENSYN_CODEGEN_EMIT_MODELS_H

#include "mlir/IR/DialectRegistry.h"

namespace gensyn::emit {

/// Attaches the models to the ops when the repro dialect is loaded, and loads
/// the dialects that they emit.
void registerElementModels(mlir::DialectRegistry &registry);

} // namespace gensyn::emit

#endif
