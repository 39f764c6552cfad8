// The schedule of contractions over windows, with vectors along rows.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_WINDOWCONTRACTSCHEDULE_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_WINDOWCONTRACTSCHEDULE_H

#include "WindowContraction.h"
#include "gensyn/Codegen/Cpu/Schedule.h"

#include <functional>

namespace gensyn::cpu {

/// Accepts kernels of a `repro.contract` whose results along rows have the same
/// weights, such as depthwise convolutions, with an epilogue, if that is
/// estimated to be faster than the other schedules of contractions.
std::unique_ptr<Schedule> createWindowContractSchedule();
/// Accepts all such kernels, with the sizes that `choose` makes of the chosen
/// ones.
std::unique_ptr<Schedule> createWindowContractSchedule(
    std::function<WindowSizes(WindowSizes, const WindowContraction &)> choose);

} // namespace gensyn::cpu

#endif
