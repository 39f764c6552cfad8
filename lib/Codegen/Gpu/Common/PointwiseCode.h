// The code of a thread of a pointwise kernel, shared by schedules.

#ifndef GENSYN_LIB_CODEGEN_GPU_COMMON_POINTWISECODE_H
#define GENSYN_LIB_CODEGEN_GPU_COMMON_POINTWISECODE_H

#include "gensyn/Codegen/Gpu/Schedule.h"

namespace gensyn::gpu {

/// Assignment of elements to threads: `width` adjacent elements, `groups`
/// times; a block has `threads` threads.
struct PointwiseShape {
  int64_t elements = 0, width = 1, groups = 1, threads = 128;
  /// Approximate number of instructions per element.
  int64_t cost = 0;
  int64_t perGroup() const { return threads * width; }
  int64_t perBlock() const { return perGroup() * groups; }
  /// Returns the number of blocks for `count` elements.
  int64_t blocksFor(int64_t count) const {
    return count == 0 ? 1 : (count + perBlock() - 1) / perBlock();
  }
};

/// Returns the shape for values of a kernel with equal numbers of elements that
/// are computed together.
PointwiseShape choosePointwiseShape(repro::KernelOp kernel,
                                    llvm::ArrayRef<mlir::Value> values,
                                    const Target &target);

/// Values of a kernel with equal numbers of elements, and their destinations.
struct PointwiseWork {
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<mlir::Value> outputs;
  /// Arguments that are read through other pointers than the function's.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> bound;
  /// Index of the block among those that do this work.
  mlir::Value block;
  /// Number of elements, as an index; null if it is the shape's.
  mlir::Value end;
};

/// Emits the work of a block's threads. A thread loads everything it needs
/// before its first store. Fails after an error.
llvm::LogicalResult
emitPointwise(repro::KernelOp kernel, const PointwiseShape &shape,
              const PointwiseWork &work, const Target &target,
              const KernelFunction &function, mlir::OpBuilder &builder);

} // namespace gensyn::gpu

#endif
