// Sorts along a dimension.

#ifndef GENSYN_LIB_CODEGEN_GPU_SORTSCHEDULE_H
#define GENSYN_LIB_CODEGEN_GPU_SORTSCHEDULE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Takes sorts. A kernel's `schedule` may say `chunk`, a power of two: how many
/// items are sorted together where rows are longer; and `ways`, how many runs a
/// merge joins.
std::unique_ptr<Schedule> createSortSchedule();

} // namespace gensyn::gpu

#endif
