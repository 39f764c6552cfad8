// The schedule of kernels that end in a scan, a sort or a scatter.

#ifndef GENSYN_LIB_CODEGEN_CPU_COLUMNSCHEDULE_H
#define GENSYN_LIB_CODEGEN_CPU_COLUMNSCHEDULE_H

#include "gensyn/Codegen/Cpu/Schedule.h"

namespace gensyn::cpu {

/// A tile is a column, or of some scatters 64 that lie next to each other.
/// Takes every kernel with columns, and no other.
std::unique_ptr<Schedule> createColumnSchedule();

} // namespace gensyn::cpu

#endif
