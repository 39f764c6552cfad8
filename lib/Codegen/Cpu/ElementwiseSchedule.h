// The schedule of elementwise kernels: vectors along the last dimensions.

#ifndef GENSYN_LIB_CODEGEN_CPU_ELEMENTWISESCHEDULE_H
#define GENSYN_LIB_CODEGEN_CPU_ELEMENTWISESCHEDULE_H

#include "gensyn/Codegen/Cpu/Schedule.h"

namespace gensyn::cpu {

/// Takes kernels of elementwise ops, broadcasts, transposes and constants whose
/// last dimensions, as far as they can be walked as one, have at least four
/// elements. `lanes` f32 at a time, or as many as the target has (0).
std::unique_ptr<Schedule> createElementwiseSchedule(int64_t lanes = 0);

} // namespace gensyn::cpu

#endif
