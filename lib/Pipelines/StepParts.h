// Compiles the parts of a training step.

#ifndef GENSYN_LIB_PIPELINES_STEPPARTS_H
#define GENSYN_LIB_PIPELINES_STEPPARTS_H

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/BuiltinOps.h"

namespace gensyn {

/// Divides a frozen training step of several microbatches (train-split-step),
/// and compiles its parts for the target of the request. The module is changed.
/// Returns false, with `error` filled, if that fails.
bool buildStepParts(mlir::ModuleOp module, int64_t microbatches,
                    const plan::CompileRequest &request, const Recipe &recipe,
                    plan::CompileResponse &response, plan::Error &error);

} // namespace gensyn

#endif
