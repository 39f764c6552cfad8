// The launch plan of a function of kernels, the same for every target.

#ifndef GENSYN_CODEGEN_PLAN_PLAN_H
#define GENSYN_CODEGEN_PLAN_PLAN_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gensyn::codegen {

/// What a target made of one kernel. Each launch has its name, tiles or grid,
/// and scratch; its buffers are filled in by the plan: the kernel's operands,
/// results, a fault word for each of its faulting ops, then workspaces.
struct KernelLaunches {
  llvm::SmallVector<int64_t> workspaces; ///< bytes of each
  std::vector<plan::Launch> launches;
};

/// Builds buffers, arena, launches, steps, fault slots and constants of `plan`
/// for a function that repro-form-kernels left. Inputs are the function's
/// arguments, outputs its results; their names and roles are the caller's.
/// Results of kernels are written to the output buffers directly. Fails, after
/// an error, where the function holds something else, or `launchesOf` fails.
llvm::LogicalResult
buildPlan(mlir::func::FuncOp function,
          llvm::function_ref<llvm::FailureOr<KernelLaunches>(repro::KernelOp)>
              launchesOf,
          plan::Plan &plan);

/// Lists in `plan` what is to be said of faults in `function`; `file`, unless
/// empty, stands in front of the node.
void setFaultSlots(mlir::func::FuncOp function, llvm::StringRef file,
                   plan::Plan &plan);

/// The name of the node that an op came from, by its location; empty where it
/// has none.
std::string nameNode(mlir::Operation *op);

/// The name of an op in messages: "node 'emb' (Gather)".
std::string describeNode(mlir::Operation *op);

/// The kernel alone, as the text of a module with one function. Kernels that do
/// the same have the same text, whatever their names and places.
std::string printKernel(repro::KernelOp kernel);

/// A name for functions of that kernel, which follows from `text`: its last
/// op and 12 digits of a digest, e.g. "contract_0123456789ab".
std::string nameKernel(repro::KernelOp kernel, llvm::StringRef text);

} // namespace gensyn::codegen

#endif
