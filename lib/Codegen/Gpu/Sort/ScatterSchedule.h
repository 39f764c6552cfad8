// Updates of elements and rows that indices name.

#ifndef GENSYN_LIB_CODEGEN_GPU_SCATTERSCHEDULE_H
#define GENSYN_LIB_CODEGEN_GPU_SCATTERSCHEDULE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Takes scatters of elements and of rows. A kernel's `schedule` may say
/// `chunk` and `ways` (SegmentSort.h).
std::unique_ptr<Schedule> createScatterSchedule();

} // namespace gensyn::gpu

#endif
