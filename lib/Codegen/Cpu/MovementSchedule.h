// The schedule of kernels that move elements: the last dimension in vectors.

#ifndef GENSYN_LIB_CODEGEN_CPU_MOVEMENTSCHEDULE_H
#define GENSYN_LIB_CODEGEN_CPU_MOVEMENTSCHEDULE_H

#include "gensyn/Codegen/Cpu/Schedule.h"

namespace gensyn::cpu {

/// Takes kernels of elementwise ops and ops that move elements (broadcasts,
/// transposes, reshapes, slices, pads, concats, reverses, gathers by indices
/// that are the same along a row) where every vector of results along their
/// last dimension comes from elements at one distance from each other: vectors
/// do not cross the border of a pad's or concat's part, nor of a dimension that
/// a reshape splits.
std::unique_ptr<Schedule> createMovementSchedule();

} // namespace gensyn::cpu

#endif
