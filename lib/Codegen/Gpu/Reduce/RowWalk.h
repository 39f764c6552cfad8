// The walk of a thread over its points of a row.

#ifndef GENSYN_LIB_CODEGEN_GPU_ROWWALK_H
#define GENSYN_LIB_CODEGEN_GPU_ROWWALK_H

#include "RowEmitter.h"
#include "RowLayout.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"

namespace gensyn::gpu {

/// Emits loops, or the steps of loops, over the points of one unit. All threads
/// of a warp take the same way through them.
class RowWalk {
public:
  using Carried = llvm::SmallVector<mlir::Value>;
  /// Given the groups of points of a step, with the number of the first lane of
  /// each among the thread's lanes, and the carried values; returns the next
  /// ones, or nothing after an error. Null values are carried as `initial`.
  struct Step {
    llvm::SmallVector<PointGroup *> groups;
    llvm::SmallVector<int64_t> lanes;
  };
  using Body =
      llvm::function_ref<std::optional<Carried>(const Step &, Carried)>;

  /// `thread` is the number of the thread in its group.
  RowWalk(RowEmitter &emitter, const RowLayout &layout, mlir::Value thread);

  /// The points of unit `unit` (index), which has `count` points; with
  /// `mayBeLast`, perhaps only those of the last one. `initial` makes the value
  /// of a carried one that no step before has set.
  std::optional<Carried> walk(mlir::Value unit, int64_t count, bool mayBeLast,
                              Carried carried,
                              llvm::function_ref<mlir::Value(size_t)> initial,
                              Body body);

private:
  Step makeStep(mlir::Value base, int64_t first, bool isChecked,
                int64_t leastColumn);

  RowEmitter &emitter;
  mlir::OpBuilder &builder;
  mlir::Location location;
  codegen::IndexBuilder index;
  const RowLayout &layout;
  mlir::Value thread;
  /// Of a held row, made in the first walk.
  llvm::SmallVector<Step> held;
  std::deque<PointGroup> groups;
};

} // namespace gensyn::gpu

#endif
