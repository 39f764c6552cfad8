// The limits on memory of a compile request.

#ifndef GENSYN_LIB_PIPELINES_MEMORYBUDGET_H
#define GENSYN_LIB_PIPELINES_MEMORYBUDGET_H

#include "Report.h"
#include "gensyn/Codegen/Plan/Rematerialize.h"
#include "gensyn/Executable/Recipe/Recipe.h"

namespace gensyn {

/// Returns the options of the request's plan.
codegen::PlanOptions makePlanOptions(const plan::CompileRequest &request);

/// Rematerializes values of `main`, a function of kernels, to meet the
/// request's memory budget and its recipe's `remat`, and then fills the
/// statistics of `memory`. `launchesOf` is that of the target. Returns false,
/// with `error` filled, if the arena does not become small enough.
bool applyMemoryBudget(
    mlir::func::FuncOp main, const plan::CompileRequest &request,
    const Recipe &recipe,
    llvm::function_ref<
        llvm::FailureOr<codegen::KernelLaunches>(repro::KernelOp)>
        launchesOf,
    const Report &report, plan::Memory &memory, plan::Error &error);

} // namespace gensyn

#endif
