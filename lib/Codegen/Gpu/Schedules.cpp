// The list of schedules, and the question which of them takes a kernel.

#include "gensyn/Codegen/Gpu/Schedule.h"

#include "PointwiseSchedule.h"
#include "gensyn/Codegen/Gpu/Compile.h"
#include "gensyn/Conversion/ReproToLinalg/ReproToLinalg.h"

#include <algorithm>

namespace gensyn::gpu {

const Schedules &getSchedules() {
  static const Schedules schedules = [] {
    Schedules list;
    list.push_back(createPointwiseSchedule());
    return list;
  }();
  return schedules;
}

/// A thread per element or column.
static KernelPlan planBaseline(repro::KernelOp kernel) {
  int64_t threads = 1;
  for (int64_t extent : getParallelExtents(kernel))
    threads *= extent;
  KernelPlan plan;
  LaunchPlan &launch = plan.launches.emplace_back();
  launch.grid[0] = llvm::divideCeil(std::max<int64_t>(threads, 1), kBlockSize);
  launch.block[0] = kBlockSize;
  return plan;
}

ScheduleChoice chooseSchedule(const Schedules &schedules,
                              repro::KernelOp kernel, const Target &target) {
  for (const std::unique_ptr<Schedule> &schedule : schedules)
    if (std::optional<KernelPlan> plan = schedule->match(kernel, target))
      return {schedule.get(), std::move(*plan)};
  return {nullptr, planBaseline(kernel)};
}

} // namespace gensyn::gpu
