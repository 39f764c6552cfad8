// The schedules of Schedules.def, and the choice of a kernel's schedule.

#include "gensyn/Codegen/Gpu/Schedule.h"

#include "gensyn/Codegen/Gpu/Compile.h"
#include "gensyn/Codegen/Kernel/KernelLoops.h"

#include <algorithm>

namespace gensyn::gpu {

#define GENSYN_SCHEDULE(NAME)                                                  \
  std::unique_ptr<Schedule> create##NAME##Schedule();
#include "Schedules.def"

const Schedules &getSchedules() {
  static const Schedules schedules = codegen::makeSchedules<GpuMachine>({
#define GENSYN_SCHEDULE(NAME) create##NAME##Schedule,
#include "Schedules.def"
  });
  return schedules;
}

/// Plans a thread per element or column. Each loop starts at a new block.
static KernelPlan planBaseline(repro::KernelOp kernel) {
  int64_t blocks = 0;
  for (const codegen::KernelLoop &loop : codegen::getParallelLoops(kernel))
    blocks += llvm::divideCeil(loop.getCount(), kBlockSize);
  KernelPlan plan;
  LaunchPlan &launch = plan.launches.emplace_back();
  launch.grid[0] = std::max<int64_t>(blocks, 1);
  launch.block[0] = kBlockSize;
  return plan;
}

ScheduleChoice chooseSchedule(const Schedules &schedules,
                              repro::KernelOp kernel, const Target &target) {
  if (auto choice =
          codegen::findSchedule<GpuMachine>(schedules, kernel, target))
    return std::move(*choice);
  return {nullptr, planBaseline(kernel)};
}

} // namespace gensyn::gpu
