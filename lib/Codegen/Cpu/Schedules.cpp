// The list of schedules, and the question which of them takes a kernel.

#include "gensyn/Codegen/Cpu/Schedule.h"

#include "ColumnSchedule.h"
#include "ContractSchedule.h"
#include "MovementSchedule.h"
#include "PointwiseSchedule.h"
#include "RowReduceSchedule.h"

namespace gensyn::cpu {

const Schedules &getSchedules() {
  static const Schedules schedules = [] {
    Schedules list;
    list.push_back(createContractSchedule());
    list.push_back(createRowReduceSchedule());
    list.push_back(createPointwiseSchedule());
    list.push_back(createMovementSchedule());
    list.push_back(createColumnSchedule());
    list.push_back(createBaselineSchedule());
    return list;
  }();
  return schedules;
}

ScheduleChoice chooseSchedule(const Schedules &schedules,
                              repro::KernelOp kernel, const Target &target) {
  for (const std::unique_ptr<Schedule> &schedule : schedules)
    if (std::optional<KernelPlan> plan = schedule->match(kernel, target))
      return {schedule.get(), std::move(*plan)};
  llvm_unreachable("the baseline takes every kernel");
}

} // namespace gensyn::cpu
