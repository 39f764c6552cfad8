// The launches of a kernel in the form of the plan.

#ifndef GENSYN_CODEGEN_SCHEDULE_LAUNCHES_H
#define GENSYN_CODEGEN_SCHEDULE_LAUNCHES_H

#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Codegen/Schedule/Schedule.h"

namespace gensyn::codegen {

/// Returns the launches of a plan, each converted by `describe` and named after
/// the kernel.
template <class Launch>
KernelLaunches
toLaunches(llvm::StringRef kernel, llvm::ArrayRef<int64_t> workspaces,
           llvm::ArrayRef<Launch> launches,
           llvm::function_ref<plan::Launch(const Launch &)> describe) {
  KernelLaunches result;
  result.workspaces.assign(workspaces.begin(), workspaces.end());
  for (const Launch &launch : launches) {
    result.launches.push_back(describe(launch));
    result.launches.back().set_kernel(nameFunction(kernel, launch.suffix));
  }
  return result;
}

} // namespace gensyn::codegen

#endif
