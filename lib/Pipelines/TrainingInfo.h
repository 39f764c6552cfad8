// Programs of a model's own training_info.

#ifndef GENSYN_LIB_PIPELINES_TRAININGINFO_H
#define GENSYN_LIB_PIPELINES_TRAININGINFO_H

#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/BuiltinOps.h"

namespace gensyn {

/// True if a program of `kind` comes from the model's training_info: Initialize
/// always, Train and Eval if the recipe has neither a loss nor an optimizer.
bool isOfTrainingInfo(std::optional<ProgramKind> kind, const Recipe &recipe);

/// Replaces `@main` by the function of training_info for `kind`. Outputs of
/// Initialize get the names of the initializers. Returns false, with the
/// error, if the model has no such function.
bool selectTrainingInfo(mlir::ModuleOp module, ProgramKind kind,
                        const std::string &path, plan::Error &error);

} // namespace gensyn

#endif
