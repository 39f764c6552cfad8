// Kernels whose reductions go over the columns of rows.

#ifndef GENSYN_LIB_CODEGEN_GPU_ROWSCHEDULE_H
#define GENSYN_LIB_CODEGEN_GPU_ROWSCHEDULE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Takes kernels whose form is Rows (KernelForm.h) with orders of lanes, alone
/// or in blocks, and sequential ones: softmax, norms, cross-entropy, and single
/// reductions over the last dimensions.
std::unique_ptr<Schedule> createRowSchedule();

} // namespace gensyn::gpu

#endif
