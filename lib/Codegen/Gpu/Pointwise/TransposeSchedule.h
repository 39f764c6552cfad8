// Kernels of elements that read operands across.

#ifndef GENSYN_LIB_CODEGEN_GPU_TRANSPOSESCHEDULE_H
#define GENSYN_LIB_CODEGEN_GPU_TRANSPOSESCHEDULE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Takes pointwise and horizontal kernels with operands of which neighbours are
/// not neighbours in the results, but in another dimension of them.
std::unique_ptr<Schedule> createTransposeSchedule();

} // namespace gensyn::gpu

#endif
