// The memory of values that are computed once per set of parameters.

#ifndef GENSYN_LIB_CODEGEN_PLAN_PREPAREDVALUES_H
#define GENSYN_LIB_CODEGEN_PLAN_PREPAREDVALUES_H

#include "gensyn/Codegen/Plan/Arena.h"
#include "gensyn/Executable/plan.pb.h"
#include "llvm/ADT/MapVector.h"

namespace gensyn::codegen {

/// Values that no run reads share memory.
///
/// Time is counted in launches that prepare, which all run before a run.
class PreparedValues {
public:
  /// Adds a buffer that the current launch writes.
  void add(uint32_t buffer, uint64_t bytes);
  /// Notes that a launch reads or writes a buffer: the current one if
  /// `prepares`, else one of a run.
  void use(uint32_t buffer, bool prepares);
  void endLaunch() { ++now; }

  /// Sets the offsets of all buffers that were added, and the size of their
  /// memory.
  void finish(plan::Plan &plan);

private:
  llvm::MapVector<uint32_t, size_t> blockOf;
  std::vector<ArenaBlock> blocks;
  int64_t now = 0;
};

} // namespace gensyn::codegen

#endif
