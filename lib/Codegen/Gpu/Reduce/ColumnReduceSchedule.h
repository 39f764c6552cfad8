// Kernels whose reductions go over the rows of columns.

#ifndef GENSYN_LIB_CODEGEN_GPU_COLUMNREDUCESCHEDULE_H
#define GENSYN_LIB_CODEGEN_GPU_COLUMNREDUCESCHEDULE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Takes kernels whose form is ColumnSums (KernelForm.h) with one order of
/// lanes, alone or in blocks, or a sequential one: gradients of biases and
/// scales, and single reductions over the first or middle dimensions.
std::unique_ptr<Schedule> createColumnReduceSchedule();

} // namespace gensyn::gpu

#endif
