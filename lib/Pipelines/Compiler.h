// The methods of the compiler library; see CompilerApi.h.

#ifndef GENSYN_LIB_PIPELINES_COMPILER_H
#define GENSYN_LIB_PIPELINES_COMPILER_H

#include "gensyn/Runtime/plan.pb.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace gensyn {

/// What a request prefers orders to be: what it says, else what the recipe
/// says, else "fast".
std::string chooseAccuracy(const std::string &requested,
                           const std::string &recipe);

/// The frozen program of a request, or null with `error` filled.
mlir::OwningOpRef<mlir::ModuleOp>
freezeModel(const plan::CompileRequest &request, mlir::MLIRContext &context,
            plan::Error &error);

plan::CompileResponse compileModel(const plan::CompileRequest &request);
plan::InfoResponse describeModel(const plan::InfoRequest &request);
plan::RunResponse runReference(const plan::RunRequest &request);

} // namespace gensyn

#endif
