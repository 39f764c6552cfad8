// The methods of the compiler library; see CompilerApi.h.

#ifndef GENSYN_LIB_PIPELINES_COMPILER_H
#define GENSYN_LIB_PIPELINES_COMPILER_H

#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>

namespace gensyn {

/// What a request prefers orders to be: what it says, else what the recipe
/// says, else "fast".
std::string chooseAccuracy(const std::string &requested,
                           const std::string &recipe);

/// True if the program of `kind` takes batch normalizations that the model has
/// for inference as training: the recipe's `batch_norm` of a "train" or "grad".
bool trainsBatchNorm(llvm::StringRef kind, const std::string &recipe);

/// The frozen program of a request, or null with `error` filled.
mlir::OwningOpRef<mlir::ModuleOp>
freezeModel(const plan::CompileRequest &request, mlir::MLIRContext &context,
            plan::Error &error);

plan::CompileResponse compileModel(const plan::CompileRequest &request);
plan::InfoResponse describeModel(const plan::InfoRequest &request);
plan::ExportResponse exportModel(const plan::ExportRequest &request);
plan::LoadResponse loadReference(const plan::LoadRequest &request);
plan::RunResponse runReference(const plan::RunRequest &request);
plan::ProbeResponse probeProgram(const plan::ProbeRequest &request);

/// The tensor of a message, with its bytes copied; nothing where its size is
/// not its type's.
std::optional<Tensor> readTensor(const plan::TensorValue &value);

} // namespace gensyn

#endif
