// The launches of a kernel in the form of the plan.

#ifndef GENSYN_CODEGEN_SCHEDULE_LAUNCHES_H
#define GENSYN_CODEGEN_SCHEDULE_LAUNCHES_H

#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Codegen/Schedule/Schedule.h"

namespace gensyn::codegen {

/// Returns the launches of a schedule's plan, each converted by `describe` and
/// named after the kernel.
template <class Machine>
KernelLaunches
toLaunches(llvm::StringRef kernel, const ScheduleChoice<Machine> &choice,
           llvm::function_ref<plan::Launch(const typename Machine::Launch &)>
               describe) {
  KernelLaunches result;
  result.workspaces.assign(choice.plan.workspaces.begin(),
                           choice.plan.workspaces.end());
  result.inPlace = choice.plan.inPlace;
  for (const typename Machine::Launch &launch : choice.plan.launches) {
    plan::Launch &made = result.launches.emplace_back(describe(launch));
    made.set_kernel(nameFunction(kernel, launch.suffix));
    made.set_schedule(nameSchedule(choice).str());
    if constexpr (requires { launch.schedule; })
      if (!launch.schedule.empty())
        made.set_schedule(launch.schedule);
    if constexpr (requires { launch.flops; })
      made.set_flops(static_cast<uint64_t>(launch.flops.value_or(0)));
  }
  return result;
}

} // namespace gensyn::codegen

#endif
