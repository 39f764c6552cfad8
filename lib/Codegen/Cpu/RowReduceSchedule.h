// The schedule of reductions over whole dimensions.

#ifndef GENSYN_LIB_CODEGEN_CPU_ROWREDUCESCHEDULE_H
#define GENSYN_LIB_CODEGEN_CPU_ROWREDUCESCHEDULE_H

#include "gensyn/Codegen/Cpu/Schedule.h"

namespace gensyn::cpu {

/// Accepts kernels of one `repro.reduce` of f32 over whole dimensions (sum,
/// product, max, min) with the elementwise ops and movement that it reads, if
/// all lanes compute the operand by the same operations (LaneWalk). Over the
/// last dimensions, the lanes of its order are lanes of vectors; over others,
/// vectors run along the last dimension of the result. Vectors have at most as
/// many f32 as the target has lanes, or `lanes`.
std::unique_ptr<Schedule> createRowReduceSchedule();
std::unique_ptr<Schedule> createRowReduceSchedule(int64_t lanes);

} // namespace gensyn::cpu

#endif
