// The methods of the compiler library; see CompilerApi.h.

#ifndef GENSYN_LIB_PIPELINES_COMPILER_H
#define GENSYN_LIB_PIPELINES_COMPILER_H

#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/export.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Executable/probe.pb.h"
#include "gensyn/Executable/proof.pb.h"
#include "gensyn/Executable/variants.pb.h"
#include "gensyn/Numerics/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>

namespace gensyn {

/// The accuracy policy of a request: its own, else the recipe's, else "fast".
std::string chooseAccuracy(const std::string &requested, const Recipe &recipe);

/// True if the program of `kind` treats the model's batch normalizations in
/// inference mode as in training mode: the recipe's `batch_norm`, for Train and
/// Grad.
bool trainsBatchNorm(std::optional<ProgramKind> kind, const Recipe &recipe);

/// Parses the recipe of a request about the model at `path`; `name` is
/// its name in messages. Nothing, with `error` filled, if it is malformed.
std::optional<Recipe> readRecipe(const std::string &text,
                                 const std::string &name,
                                 const std::string &path,
                                 mlir::MLIRContext &context,
                                 plan::Error &error);

/// The frozen program of a request and its recipe, or null with `error` filled.
/// Sets the number of `microbatches` of a training step if that is not null.
mlir::OwningOpRef<mlir::ModuleOp>
freezeModel(const plan::CompileRequest &request, const Recipe &recipe,
            mlir::MLIRContext &context, plan::Error &error,
            int64_t *microbatches = nullptr);

/// The same of a program that was compiled before and has this digest; another
/// one is an error.
mlir::OwningOpRef<mlir::ModuleOp>
freezeAgain(const plan::CompileRequest &request, const std::string &digest,
            mlir::MLIRContext &context, plan::Error &error);

plan::CompileResponse compileModel(const plan::CompileRequest &request);
plan::InfoResponse describeModel(const plan::InfoRequest &request);
plan::ExportResponse exportModel(const plan::ExportRequest &request);
plan::LoadResponse loadReference(const plan::LoadRequest &request);
plan::RunResponse runReference(const plan::RunRequest &request);
plan::MapResponse mapVariants(const plan::MapRequest &request);
plan::ProbeResponse probeProgram(const plan::ProbeRequest &request);
plan::EntriesResponse listEntries(const plan::EntriesRequest &request);
plan::EvaluateResponse evaluateElement(const plan::EvaluateRequest &request);

/// The tensor of a message, with its bytes copied; nothing if their number does
/// not match its type.
std::optional<Tensor> readTensor(const plan::TensorValue &value);

} // namespace gensyn

#endif
