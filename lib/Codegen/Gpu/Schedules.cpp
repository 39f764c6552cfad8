// The list of schedules, and the question which of them takes a kernel.

#include "gensyn/Codegen/Gpu/Schedule.h"

#include "Contract/ContractSchedule.h"
#include "Pointwise/HorizontalSchedule.h"
#include "Pointwise/PointwiseSchedule.h"
#include "Pointwise/TransposeSchedule.h"
#include "Reduce/ArgReduceSchedule.h"
#include "Reduce/ColumnReduceSchedule.h"
#include "Reduce/RowSchedule.h"
#include "Scan/ScanSchedule.h"
#include "Sort/ScatterSchedule.h"
#include "Sort/SortSchedule.h"
#include "gensyn/Codegen/Gpu/Compile.h"
#include "gensyn/Codegen/Kernel/KernelLoops.h"

#include <algorithm>

namespace gensyn::gpu {

const Schedules &getSchedules() {
  static const Schedules schedules = [] {
    Schedules list;
    list.push_back(createRowSchedule());
    list.push_back(createColumnReduceSchedule());
    list.push_back(createContractSchedule());
    list.push_back(createTransposeSchedule());
    list.push_back(createHorizontalSchedule());
    list.push_back(createScatterSchedule());
    list.push_back(createArgReduceSchedule());
    list.push_back(createSortSchedule());
    list.push_back(createScanSchedule());
    // Takes what the others leave.
    list.push_back(createPointwiseSchedule());
    return list;
  }();
  return schedules;
}

/// A thread per element or column; each loop begins with a block of its own.
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
  for (const std::unique_ptr<Schedule> &schedule : schedules)
    if (std::optional<KernelPlan> plan = schedule->match(kernel, target))
      return {schedule.get(), std::move(*plan)};
  return {nullptr, planBaseline(kernel)};
}

} // namespace gensyn::gpu
