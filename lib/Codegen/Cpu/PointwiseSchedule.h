// The schedule of kernels that compute each element of their results from the
// elements at the same place.

#ifndef GENSYN_LIB_CODEGEN_CPU_POINTWISESCHEDULE_H
#define GENSYN_LIB_CODEGEN_CPU_POINTWISESCHEDULE_H

#include "gensyn/Codegen/Cpu/Schedule.h"

namespace gensyn::cpu {

/// Takes kernels of elementwise ops, splat constants and broadcasts. Trailing
/// dimensions are joined to one row where no broadcast tells them apart; the
/// row is computed in vectors of one register of f32.
std::unique_ptr<Schedule> createPointwiseSchedule();

} // namespace gensyn::cpu

#endif
