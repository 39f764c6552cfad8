// The schedule of contractions: packed panels and a register tile.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACTSCHEDULE_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACTSCHEDULE_H

#include "GemmSizes.h"
#include "gensyn/Codegen/Cpu/Schedule.h"

namespace gensyn::cpu {

/// Takes kernels that are one `repro.contract` of f32 which viewContract reads.
/// The kernel's `schedule` attribute may hold a dictionary of GemmSizes' fields
/// (lanes, mr, nv, kc, rows, unroll, pack_a, pack_b); what it leaves out comes
/// from the table.
std::unique_ptr<Schedule> createContractSchedule();
/// With `always`, where it is given, in place of both; it must pass checkSizes.
std::unique_ptr<Schedule>
createContractSchedule(std::optional<GemmSizes> always);

/// The sizes that `schedule` asks for, over those of the table, fitted to the
/// view. On error nothing, with the reason in `error`.
std::optional<GemmSizes> readGemmSizes(mlir::Attribute schedule,
                                       const GemmView &view, int64_t lanes,
                                       std::string &error);

} // namespace gensyn::cpu

#endif
