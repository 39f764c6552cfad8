// Remarks on the schedules of kernels (--remarks-filter=schedule).

#ifndef GENSYN_CODEGEN_SCHEDULE_REMARKS_H
#define GENSYN_CODEGEN_SCHEDULE_REMARKS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::codegen {

/// Emits a remark that `schedule` accepts the kernel after those of `refused`
/// did not; a missed optimization if `isBaseline`.
void remarkSchedule(repro::KernelOp kernel, llvm::StringRef schedule,
                    bool isBaseline, llvm::ArrayRef<llvm::StringRef> refused);

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

} // namespace gensyn::codegen

#endif
