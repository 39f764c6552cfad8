// An ONNX file as a module of the onnx dialect with static shapes.

#ifndef GENSYN_LIB_PIPELINES_LOADMODEL_H
#define GENSYN_LIB_PIPELINES_LOADMODEL_H

#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace gensyn {

/// A context with all dialects and models of ours loaded.
std::unique_ptr<mlir::MLIRContext> createContext();

/// Reads the model of a request and binds the dimensions that it leaves open
/// (BindInputs.h); `batchSize` is the first one of every graph input, 0: not
/// known. Null, with `error` filled, where the model is bad or a dimension is
/// left over. `@main` is the graph, or what the kind of program `training` is
/// made of in the model's training_info (TrainingInfo.h).
mlir::OwningOpRef<mlir::ModuleOp> loadModel(const plan::CompileRequest &request,
                                            int64_t batchSize,
                                            mlir::MLIRContext &context,
                                            plan::Error &error,
                                            llvm::StringRef training = "");

} // namespace gensyn

#endif
