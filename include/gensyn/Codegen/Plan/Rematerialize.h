// Values that are computed again instead of kept, for a smaller arena.

#ifndef GENSYN_CODEGEN_PLAN_REMATERIALIZE_H
#define GENSYN_CODEGEN_PLAN_REMATERIALIZE_H

#include "gensyn/Codegen/Plan/Plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::codegen {

struct RematOptions {
  static constexpr uint64_t kNoBudget = UINT64_MAX;
  /// Bytes that the arena may have.
  uint64_t budget = kNoBudget;
  /// Patterns of `*` (any run) and `?` (any character): what nodes of these
  /// names compute is not kept across the largest live set, whatever the
  /// budget.
  std::vector<std::string> nodes;

  bool isAsked() const { return budget != kNoBudget || !nodes.empty(); }
};

/// The outcome.
struct RematReport {
  uint64_t arenaBefore = 0, arenaAfter = 0; ///< bytes
  uint64_t kernels = 0;                     ///< that there are more
  /// Floating-point operations of a run, loops counted at their bounds.
  uint64_t flopsBefore = 0, flopsAfter = 0;
};

/// Makes kernels run a second time, right before what needs them late, where
/// their results would otherwise be kept: bits stay, the arena shrinks.
///
/// Works where the largest live set is: of the values that are only kept there,
/// that is, neither read nor written, the cheapest ones are dropped first,
/// cheapest meaning the fewest floating-point operations and bytes moved to
/// compute them again per byte that is free at that time; what they are
/// computed from is computed again too where it is not there any more. A step
/// is taken back if it does not lessen the bytes above the budget, summed over
/// all launches. Ends when the packed arena fits or nothing helps: compare
/// `arenaAfter` with the budget.
///
/// `function` is one that repro-form-kernels left. `launchesOf` is asked for
/// the launches and workspaces of kernels, which count. Fails, after an error,
/// where it does.
llvm::FailureOr<RematReport> rematerialize(
    mlir::func::FuncOp function,
    llvm::function_ref<llvm::FailureOr<KernelLaunches>(repro::KernelOp)>
        launchesOf,
    const RematOptions &options);

} // namespace gensyn::codegen

#endif
