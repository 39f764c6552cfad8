// Binds the symbolic dimensions of a model, from all sources.

#ifndef GENSYN_LIB_PIPELINES_BINDINPUTS_H
#define GENSYN_LIB_PIPELINES_BINDINPUTS_H

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/BuiltinOps.h"

namespace gensyn {

/// Binds the symbolic dimensions of a module of the onnx dialect from the
/// request's dims, from its batch, of which `batchSize` is that of the graph
/// inputs (0: unknown), and from the program's input tensors. Returns false,
/// with `error` filled, if two sources contradict each other (the message names
/// both), if a tensor does not have the rank of its input, or if dims have a
/// name that the model lacks.
bool bindInputs(mlir::ModuleOp module, const plan::CompileRequest &request,
                const Recipe &recipe, int64_t batchSize, plan::Error &error);

/// Returns false, with `error` filled, if a graph input still has a symbolic
/// dimension.
bool requireBound(mlir::ModuleOp module, const plan::CompileRequest &request,
                  plan::Error &error);

} // namespace gensyn

#endif
