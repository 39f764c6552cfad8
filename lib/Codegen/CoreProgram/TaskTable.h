// The tables of a core's program (Firmware/Tables.h).

#ifndef GENSYN_LIB_CODEGEN_COREPROGRAM_TASKTABLE_H
#define GENSYN_LIB_CODEGEN_COREPROGRAM_TASKTABLE_H

#include "gensyn/Codegen/Cpu/Target.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Description.h"
#include "llvm/Support/LogicalResult.h"

#include <string>
#include <vector>

namespace gensyn::coreprogram {

/// A segment of the mapping, and what a core does in it.
struct SegmentTasks {
  uint32_t segment;
  const mapping::Core *core;
};

/// Returns an object with the tables of a core, which refer to the functions of
/// bodies by their names. On failure `error` has the task, what was found and
/// what was expected.
llvm::FailureOr<std::string>
emitTables(const machine::Description &machine, const mapping::Mapping &mapping,
           const cpu::Target &target, const std::vector<SegmentTasks> &segments,
           std::string &error);

} // namespace gensyn::coreprogram

#endif
