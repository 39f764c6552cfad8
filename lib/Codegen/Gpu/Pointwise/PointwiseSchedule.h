// Kernels without reductions: every element of the results on its own.

#ifndef GENSYN_LIB_CODEGEN_GPU_POINTWISESCHEDULE_H
#define GENSYN_LIB_CODEGEN_GPU_POINTWISESCHEDULE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Takes kernels whose results all have as many elements and none of which is
/// computed in columns.
std::unique_ptr<Schedule> createPointwiseSchedule();

} // namespace gensyn::gpu

#endif
