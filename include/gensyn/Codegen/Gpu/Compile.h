// Compiles a function of kernels to a launch plan and gpu.modules for a target.

#ifndef GENSYN_CODEGEN_GPU_COMPILE_H
#define GENSYN_CODEGEN_GPU_COMPILE_H

#include "gensyn/Codegen/Gpu/Schedule.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <functional>

namespace gensyn::gpu {

/// Threads per block of the baseline, which has a thread per element, so that
/// any number is valid. Four warps allow the scheduler of every generation to
/// hide latency.
inline constexpr int64_t kBlockSize = 128;

/// Fills buffers, launches and constants of `plan` for a function of kernels
/// (repro-form-kernels). Returns a module with a nested module per kernel, each
/// with a `gpu.module` as addLoweringPasses leaves it, verified by
/// `gensyn-verify-target-bits`: an entry per launch, with a pointer parameter
/// for each of the launch's buffers. Equal kernels share entries. Kernels are
/// lowered on the threads of the context; the module does not depend on their
/// number. It is compiled for `target`, but translateToPtx can also write it
/// for later generations. `schedules` replace the registered ones if given, and
/// `watch` is called with each pipeline before it runs. Fails after an error.
llvm::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
compile(mlir::func::FuncOp function, const Target &target, plan::Plan &plan,
        const Schedules *schedules = nullptr,
        const std::function<void(mlir::PassManager &)> &watch = nullptr,
        const codegen::PlanOptions &options = {});

/// Returns the launches that compile plans for a kernel, without names of
/// entries.
codegen::KernelLaunches describeLaunches(repro::KernelOp kernel,
                                         const Target &target);

} // namespace gensyn::gpu

#endif
