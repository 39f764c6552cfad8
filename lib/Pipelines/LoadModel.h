// Loads an ONNX file as a module of the onnx dialect with static shapes.

#ifndef GENSYN_LIB_PIPELINES_LOADMODEL_H
#define GENSYN_LIB_PIPELINES_LOADMODEL_H

#include "gensyn/Executable/Recipe.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace gensyn {

/// A context with all our dialects and external models loaded.
std::unique_ptr<mlir::MLIRContext> createContext();

/// Reads the model of a request and binds its symbolic dimensions
/// (BindInputs.h). `batchSize` is the first dimension of every graph input, or
/// 0 if unknown. Null, with `error` filled, if the model is bad or a dimension
/// is still symbolic. `@main` is the graph, or the function of training_info
/// for the kind of program `training` (TrainingInfo.h).
mlir::OwningOpRef<mlir::ModuleOp>
loadModel(const plan::CompileRequest &request, const Recipe &recipe,
          int64_t batchSize, mlir::MLIRContext &context, plan::Error &error,
          llvm::StringRef training = "");

} // namespace gensyn

#endif
