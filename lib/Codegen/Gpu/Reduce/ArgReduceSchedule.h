// Positions of greatest and least elements.

#ifndef GENSYN_LIB_CODEGEN_GPU_ARGREDUCESCHEDULE_H
#define GENSYN_LIB_CODEGEN_GPU_ARGREDUCESCHEDULE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Takes arg_reduce over neighbouring dimensions, with what is computed of its
/// operand's elements.
std::unique_ptr<Schedule> createArgReduceSchedule();

} // namespace gensyn::gpu

#endif
