// Sizes of the dimensions that a model leaves open, from all who know them.

#ifndef GENSYN_LIB_PIPELINES_BINDINPUTS_H
#define GENSYN_LIB_PIPELINES_BINDINPUTS_H

#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/BuiltinOps.h"

namespace gensyn {

/// Binds the open dimensions of a module of the onnx dialect by the request's
/// dims, by its batch, of which `batchSize` is that of the graph inputs (0:
/// says nothing), and by the tensors that the program will be given. False,
/// with `error` filled, where two of them contradict each other, both of which
/// the message names, where a tensor does not have the rank of its input, or
/// where dims have a name that the model has not.
bool bindInputs(mlir::ModuleOp module, const plan::CompileRequest &request,
                int64_t batchSize, plan::Error &error);

/// False, with `error` filled, where a graph input still has an open dimension.
bool requireBound(mlir::ModuleOp module, const plan::CompileRequest &request,
                  plan::Error &error);

} // namespace gensyn

#endif
