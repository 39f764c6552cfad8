// Emits the pass of a thread over its points of a row.

#ifndef GENSYN_LIB_CODEGEN_GPU_ROWWALK_H
#define GENSYN_LIB_CODEGEN_GPU_ROWWALK_H

#include "RowEmitter.h"
#include "RowLayout.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"

namespace gensyn::gpu {

/// Emits loops or unrolled steps over the points of one unit. Their control
/// flow is uniform in a warp.
class RowWalk {
public:
  using Carried = llvm::SmallVector<mlir::Value>;
  /// The groups of points of a step, and the index of each group's first lane
  /// among the thread's lanes. The body gets them with the carried values, and
  /// returns the next carried values, or std::nullopt after an error. Null
  /// values are replaced by `initial` before they are carried.
  struct Step {
    llvm::SmallVector<PointGroup *> groups;
    llvm::SmallVector<int64_t> lanes;
  };
  using Body =
      llvm::function_ref<std::optional<Carried>(const Step &, Carried)>;

  /// `thread` is the index of the thread in its group.
  RowWalk(RowEmitter &emitter, const RowLayout &layout, mlir::Value thread);

  /// Emits the points of unit `unit` (of type index), which has `count` points
  /// or, with `mayBeLast`, perhaps only those of the last unit. `initial`
  /// creates carried values that no earlier step has set.
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
  /// The steps of a held row, created in the first walk.
  llvm::SmallVector<Step> held;
  std::deque<PointGroup> groups;
};

} // namespace gensyn::gpu

#endif
