// The schedules of Schedules.def, and the selection of the one that accepts a
// kernel.

#include "gensyn/Codegen/Cpu/Schedule.h"

namespace gensyn::cpu {

#define GENSYN_SCHEDULE(NAME)                                                  \
  std::unique_ptr<Schedule> create##NAME##Schedule();
#include "Schedules.def"

const Schedules &getSchedules() {
  static const Schedules schedules = codegen::makeSchedules<CpuMachine>({
#define GENSYN_SCHEDULE(NAME) create##NAME##Schedule,
#include "Schedules.def"
  });
  return schedules;
}

ScheduleChoice chooseSchedule(const Schedules &schedules,
                              repro::KernelOp kernel, const Target &target) {
  if (auto choice =
          codegen::findSchedule<CpuMachine>(schedules, kernel, target))
    return std::move(*choice);
  llvm_unreachable("the baseline takes every kernel");
}

} // namespace gensyn::cpu
