// Values of a plan that are computed once per set of parameters.

#ifndef GENSYN_LIB_CODEGEN_PLAN_PREPAREDVALUES_H
#define GENSYN_LIB_CODEGEN_PLAN_PREPAREDVALUES_H

#include "gensyn/Codegen/Plan/Arena.h"
#include "gensyn/Executable/plan.pb.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace gensyn::codegen {

/// Knows the buffers whose contents last across runs: constants, inputs that
/// are kept and not replaced, and prepared values, which are computed from
/// lasting buffers alone. Prepared values have memory of their own, in which
/// those that no run reads share space.
///
/// Time is counted in launches that prepare, which all run before a run.
class PreparedValues {
public:
  /// The inputs of `function` that last, by their numbers.
  static llvm::SmallVector<unsigned>
  findLastingInputs(mlir::func::FuncOp function);
  /// `limit` as in PlanOptions.
  PreparedValues(mlir::func::FuncOp function, std::optional<uint64_t> limit);

  void addLasting(uint32_t buffer) { lasting.insert(buffer); }
  bool isLasting(uint32_t buffer) const { return lasting.contains(buffer); }

  /// Returns true, and counts the bytes, if they are within the limit.
  bool reserve(uint64_t bytes);
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
  uint64_t left = 0; ///< bytes within the limit
  llvm::DenseSet<uint32_t> lasting;
  llvm::MapVector<uint32_t, size_t> blockOf;
  std::vector<ArenaBlock> blocks;
  int64_t now = 0;
};

} // namespace gensyn::codegen

#endif
