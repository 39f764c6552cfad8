// The schedule of contractions: tiles in shared memory and registers.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTSCHEDULE_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTSCHEDULE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Takes kernels of form Contraction (KernelForm.h) that viewContractTiles
/// reads, with whatever is computed of the result's elements. The kernel's
/// `schedule` attribute may hold a dictionary of ContractSizes' fields; see
/// readContractSizes.
std::unique_ptr<Schedule> createContractSchedule();

} // namespace gensyn::gpu

#endif
