// The code of a thread of a pointwise kernel, shared by schedules.

#ifndef GENSYN_LIB_CODEGEN_GPU_COMMON_POINTWISECODE_H
#define GENSYN_LIB_CODEGEN_GPU_COMMON_POINTWISECODE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// How elements are dealt to threads: `width` that follow one another, `groups`
/// times; `threads` make a block.
struct PointwiseShape {
  int64_t elements = 0, width = 1, groups = 1, threads = 128;
  /// About how many instructions an element takes.
  int64_t cost = 0;
  int64_t perGroup() const { return threads * width; }
  int64_t perBlock() const { return perGroup() * groups; }
  /// Of a grid for `count` elements.
  int64_t blocksFor(int64_t count) const {
    return count == 0 ? 1 : (count + perBlock() - 1) / perBlock();
  }
};

/// The shape for values in a kernel, which all have as many elements, that are
/// computed together.
PointwiseShape choosePointwiseShape(repro::KernelOp kernel,
                                    llvm::ArrayRef<mlir::Value> values,
                                    const Target &target);

/// Values of a kernel that have as many elements, and where they go.
struct PointwiseWork {
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<mlir::Value> outputs;
  /// Arguments that are behind other pointers than the function's.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> bound;
  /// The number of the block, among those that do this, as an index.
  mlir::Value block;
  /// The number of elements, as an index; null where it is the shape's.
  mlir::Value end;
};

/// Emits the work of a block's threads. Nothing is stored before all that a
/// thread reads for it is loaded. Fails after an error.
llvm::LogicalResult
emitPointwise(repro::KernelOp kernel, const PointwiseShape &shape,
              const PointwiseWork &work, const Target &target,
              const KernelFunction &function, mlir::OpBuilder &builder);

} // namespace gensyn::gpu

#endif
