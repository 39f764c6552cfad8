// Rematerialization: computing values again instead of keeping them, to reduce
// the arena.

#ifndef GENSYN_CODEGEN_PLAN_REMATERIALIZE_H
#define GENSYN_CODEGEN_PLAN_REMATERIALIZE_H

#include "gensyn/Codegen/Plan/Plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::codegen {

struct RematOptions {
  static constexpr uint64_t kNoBudget = UINT64_MAX;
  /// Maximum size of the arena in bytes.
  uint64_t budget = kNoBudget;
  /// Patterns of `*` (any characters) and `?` (any character): results of nodes
  /// with these names are not kept across the largest live set, whatever the
  /// budget.
  std::vector<std::string> nodes;
  /// Before anything else, values of the largest live set are dropped if that
  /// costs next to nothing: an elementwise kernel whose operands are in memory
  /// anyway runs again before a late reader that takes much longer.
  bool cheap = false;
  /// Those of the plan that will be built.
  PlanOptions plan;

  bool isAsked() const { return budget != kNoBudget || !nodes.empty(); }
};

/// The outcome.
struct RematReport {
  uint64_t arenaBefore = 0, arenaAfter = 0; ///< bytes
  uint64_t kernels = 0;                     ///< number of kernels that were
                                            ///< added
  /// Floating-point operations of a run, with loops at their bounds.
  uint64_t flopsBefore = 0, flopsAfter = 0;
};

/// Runs kernels a second time, right before late uses of their results, instead
/// of keeping the results. Keeps bits and reduces the arena.
///
/// Works on the largest live set. Of the values that are only kept there, that
/// is, neither read nor written, the cheapest are dropped first: those with the
/// fewest floating-point operations and bytes moved to recompute per byte
/// saved. Their operands are recomputed too if they are no longer live. A step
/// is undone unless it reduces the bytes above the budget, summed over all
/// launches. Ends when the packed arena fits or nothing helps: compare
/// `arenaAfter` with the budget.
///
/// `function` is a function of kernels (repro-form-kernels). `launchesOf`
/// returns the launches and workspaces of a kernel; workspaces count. Fails,
/// after an error, if it fails.
llvm::FailureOr<RematReport> rematerialize(
    mlir::func::FuncOp function,
    llvm::function_ref<llvm::FailureOr<KernelLaunches>(repro::KernelOp)>
        launchesOf,
    const RematOptions &options);

} // namespace gensyn::codegen

#endif
