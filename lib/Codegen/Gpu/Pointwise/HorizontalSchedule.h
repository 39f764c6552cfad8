// Kernels of pointwise components that have nothing to do with each other.

#ifndef GENSYN_LIB_CODEGEN_GPU_HORIZONTALSCHEDULE_H
#define GENSYN_LIB_CODEGEN_GPU_HORIZONTALSCHEDULE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Takes kernels of the form Horizontal.
std::unique_ptr<Schedule> createHorizontalSchedule();

} // namespace gensyn::gpu

#endif
