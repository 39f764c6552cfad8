// Updates at computed indices.

#ifndef GENSYN_LIB_CODEGEN_GPU_SCATTERSCHEDULE_H
#define GENSYN_LIB_CODEGEN_GPU_SCATTERSCHEDULE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Takes scatters whose trailing dimensions are the updates' own, and whose
/// places, the others, are not too many.
std::unique_ptr<Schedule> createScatterSchedule();

} // namespace gensyn::gpu

#endif
