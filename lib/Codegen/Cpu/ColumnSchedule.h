// The schedule of kernels whose root is a scan, a sort or a scatter.

#ifndef GENSYN_LIB_CODEGEN_CPU_COLUMNSCHEDULE_H
#define GENSYN_LIB_CODEGEN_CPU_COLUMNSCHEDULE_H

#include "gensyn/Codegen/Cpu/Schedule.h"

namespace gensyn::cpu {

/// A tile is a column, or adjacent columns of scans and scatters, which vectors
/// compute at once. Accepts exactly the kernels with columns.
std::unique_ptr<Schedule> createColumnSchedule();

} // namespace gensyn::cpu

#endif
