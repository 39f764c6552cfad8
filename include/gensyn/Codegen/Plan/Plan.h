// The launch plan of a function of kernels, the same for every target.

#ifndef GENSYN_CODEGEN_PLAN_PLAN_H
#define GENSYN_CODEGEN_PLAN_PLAN_H

#include "gensyn/Codegen/Plan/InPlace.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>
#include <optional>

namespace gensyn::codegen {

/// A target's launches for one kernel. Each launch has its name, tiles or grid,
/// and scratch; the plan adds its buffers: the kernel's operands, results, a
/// fault word for each of its faulting ops, then workspaces.
struct KernelLaunches {
  llvm::SmallVector<int64_t> workspaces; ///< bytes of each
  /// The workspaces that launches with `prepares` fill, by their numbers.
  llvm::SmallVector<unsigned> prepared;
  /// The operands that only those launches read. The others get an empty
  /// buffer.
  llvm::SmallVector<unsigned> unread;
  /// Results that may share the memory of operands, besides those of
  /// findInPlacePairs.
  llvm::SmallVector<InPlacePair, 0> inPlace;
  std::vector<plan::Launch> launches;
};

struct PlanOptions {
  /// Limit on the bytes of values that are computed once per set of parameters
  /// and kept; the others are computed in each run. Unset: a quarter
  /// more than the inputs that are kept and not replaced, since packed values
  /// are padded.
  std::optional<uint64_t> preparedBytes;
  /// Returns the launches of a kernel with operands that last (kLastingAttr)
  /// without compiling it. Empty: kernels prepare as a whole or not at all.
  std::function<KernelLaunches(repro::KernelOp)> describe;
};

/// Builds buffers, arena, launches, steps, fault slots and constants of `plan`
/// for a function of kernels (repro-form-kernels). Inputs are the function's
/// arguments, outputs its results; the caller sets their names and roles.
/// Results of kernels are written to the output buffers directly. Kernels that
/// depend on nothing but kept inputs become launches that prepare. Fails, after
/// an error, if the function holds other ops, or if `launchesOf` fails.
llvm::LogicalResult
buildPlan(mlir::func::FuncOp function,
          llvm::function_ref<llvm::FailureOr<KernelLaunches>(repro::KernelOp)>
              launchesOf,
          plan::Plan &plan, const PlanOptions &options = {});

/// Adds the messages of faults in `function` to `plan`; `file`, unless empty,
/// precedes the node.
void setFaultSlots(mlir::func::FuncOp function, llvm::StringRef file,
                   plan::Plan &plan);

/// Returns the name of the node that an op came from, by its location; empty if
/// it has none.
std::string nameNode(mlir::Operation *op);

/// Returns the name of an op for messages: "node 'emb' (Gather)".
std::string describeNode(mlir::Operation *op);

/// Returns the number of floating-point operations of one run of a kernel.
int64_t countKernelFlops(repro::KernelOp kernel);

/// Prints the kernel alone, as a module with one function. Equivalent kernels
/// have the same text, whatever their names and locations.
std::string printKernel(repro::KernelOp kernel);

/// Returns a name for functions of that kernel, derived from `text`: its last
/// op and 12 digits of a digest, e.g. "contract_0123456789ab".
std::string nameKernel(repro::KernelOp kernel, llvm::StringRef text);

} // namespace gensyn::codegen

#endif
