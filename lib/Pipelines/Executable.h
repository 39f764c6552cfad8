// A compiled program from a frozen module.

#ifndef GENSYN_LIB_PIPELINES_EXECUTABLE_H
#define GENSYN_LIB_PIPELINES_EXECUTABLE_H

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/IR/BuiltinOps.h"

namespace gensyn {

/// Compiles a frozen module for the target of the request ("cpu:x86-64-v3",
/// "ptx:sm_90", "reference") and fills `executable`. The module is changed:
/// kernels are formed in it. Returns false, with `error` filled, if that fails.
bool buildExecutable(mlir::ModuleOp module, const plan::CompileRequest &request,
                     const Recipe &recipe, plan::Executable &executable,
                     plan::Error &error);

/// Fills in what identifies a frozen module for the caller of a program: kind,
/// digest, inputs and outputs; but neither launches nor code. Returns false,
/// with `error` filled, if its ports are malformed.
bool describeExecutable(mlir::ModuleOp module,
                        const plan::CompileRequest &request,
                        plan::Executable &executable, plan::Error &error);

} // namespace gensyn

#endif
