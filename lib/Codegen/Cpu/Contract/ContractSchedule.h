// The schedule of contractions: packed panels and a register tile.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_CONTRACTSCHEDULE_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_CONTRACTSCHEDULE_H

#include "GemmSizes.h"
#include "gensyn/Codegen/Cpu/Schedule.h"

namespace gensyn::cpu {

/// Accepts kernels that are one `repro.contract` for which viewContract returns
/// a view. The kernel's `schedule` attribute may hold a dictionary of
/// GemmSizes' fields (lanes, mr, nv, kc, rows, group, joined, unroll, prefetch,
/// pack_a, pack_b); other fields come from the table.
std::unique_ptr<Schedule> createContractSchedule();
/// `always`, if given, replaces the attribute and the table; it must pass
/// checkSizes.
std::unique_ptr<Schedule>
createContractSchedule(std::optional<GemmSizes> always);

/// Returns the sizes in `schedule`, combined with those of the table and fitted
/// to the view. On error returns std::nullopt, with the reason in `error`.
std::optional<GemmSizes> readGemmSizes(mlir::Attribute schedule,
                                       const GemmView &view,
                                       const GemmMachine &machine,
                                       std::string &error);

/// Returns the type of the sums of a contraction with this result type.
mlir::Type sumTypeOf(mlir::Type result);

/// Returns what a table depends on, for operands of element types `a` and `b`.
GemmMachine machineFor(mlir::Type sum, mlir::Type a, mlir::Type b,
                       const Target &target);

} // namespace gensyn::cpu

#endif
