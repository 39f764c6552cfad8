// Prefixes along a dimension.

#ifndef GENSYN_LIB_CODEGEN_GPU_SCANSCHEDULE_H
#define GENSYN_LIB_CODEGEN_GPU_SCANSCHEDULE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Takes scans. The `schedule` of one without an order may say `block`: the
/// elements of a row that are scanned together; of one with an order along the
/// last dimension `staged`, a power of two up to 32: the blocks that a warp
/// has.
std::unique_ptr<Schedule> createScanSchedule();

} // namespace gensyn::gpu

#endif
