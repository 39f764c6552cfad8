// A function of kernels to a launch plan and a gpu.module for a target.

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

/// Threads of a block in the baseline: a thread per element of a kernel's
/// results, so that any number is right; four warps give the scheduler of every
/// generation something to switch to.
inline constexpr int64_t kBlockSize = 128;

/// Fills buffers, launches and constants of `plan` for a function that
/// repro-form-kernels left, and returns a module of modules, one for each
/// kernel, with a `gpu.module` as addLoweringPasses leaves it, checked by
/// `gensyn-verify-target-bits`: an entry per launch, with a pointer parameter
/// for each of the launch's buffers. Equal kernels share entries. Kernels are
/// lowered on the threads of the context, where it has some; the module is the
/// same on any number. The module is meant for `target`, though translateToPtx
/// may write it for any later one. `schedules` are asked instead of all where
/// given, and `watch` is given each pipeline before it runs. Fails after an
/// error.
llvm::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
compile(mlir::func::FuncOp function, const Target &target, plan::Plan &plan,
        const Schedules *schedules = nullptr,
        const std::function<void(mlir::PassManager &)> &watch = nullptr);

/// The launches that compile plans for a kernel, without names of entries.
codegen::KernelLaunches describeLaunches(repro::KernelOp kernel,
                                         const Target &target);

} // namespace gensyn::gpu

#endif
