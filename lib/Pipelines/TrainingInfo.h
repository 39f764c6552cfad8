// Programs of a model's own training_info.

#ifndef GENSYN_LIB_PIPELINES_TRAININGINFO_H
#define GENSYN_LIB_PIPELINES_TRAININGINFO_H

#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/BuiltinOps.h"

namespace gensyn {

/// True if a program of `kind` is one of the model's training_info:
/// "initialize" always, "train" and "eval" where the recipe has neither a loss
/// nor an optimizer. A recipe that is no JSON object is said to have them:
/// whoever reads it says what is wrong.
bool isOfTrainingInfo(llvm::StringRef kind, llvm::StringRef recipe);

/// Puts the function of training_info that `kind` asks for in the place of
/// `@main`. Outputs of "initialize" are called as what they initialize. False,
/// with the error, where the model has no such function.
bool selectTrainingInfo(mlir::ModuleOp module, llvm::StringRef kind,
                        const std::string &path, plan::Error &error);

} // namespace gensyn

#endif
