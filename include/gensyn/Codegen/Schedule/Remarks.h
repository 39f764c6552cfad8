// Remarks on the schedules of kernels (--remarks-filter=schedule).

#ifndef GENSYN_CODEGEN_SCHEDULE_REMARKS_H
#define GENSYN_CODEGEN_SCHEDULE_REMARKS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace gensyn::codegen {

/// Emits a remark that `schedule` accepts the kernel after those of `refused`
/// did not; a missed optimization if `isBaseline`. `explain` returns the
/// reasons of those, as explainRefusals does.
void remarkSchedule(
    repro::KernelOp kernel, llvm::StringRef schedule, bool isBaseline,
    llvm::ArrayRef<llvm::StringRef> refused,
    llvm::function_ref<std::string()> explain = [] { return std::string(); });

/// Returns the names of the schedules of a list before `chosen`.
template <class Schedules, class Schedule>
llvm::SmallVector<llvm::StringRef> namesBefore(const Schedules &schedules,
                                               const Schedule *chosen) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const auto &schedule : schedules) {
    if (schedule.get() == chosen)
      break;
    names.push_back(schedule->getName());
  }
  return names;
}

/// Returns the reasons that the schedules before `chosen` give, with their
/// names.
template <class Schedules, class Schedule>
std::string explainRefusals(const Schedules &schedules, const Schedule *chosen,
                            repro::KernelOp kernel,
                            const typename Schedule::Target &target) {
  std::string reasons;
  for (const auto &schedule : schedules) {
    if (schedule.get() == chosen)
      break;
    if (const std::string reason = schedule->explain(kernel, target);
        !reason.empty())
      reasons += (reasons.empty() ? "" : "; ") + schedule->getName().str() +
                 ": " + reason;
  }
  return reasons;
}

} // namespace gensyn::codegen

#endif
