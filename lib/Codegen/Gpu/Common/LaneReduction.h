// Combines results of lanes among the threads of a warp and a block.

#ifndef GENSYN_LIB_CODEGEN_GPU_COMMON_LANEREDUCTION_H
#define GENSYN_LIB_CODEGEN_GPU_COMMON_LANEREDUCTION_H

#include "gensyn/Codegen/Gpu/Target.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Interfaces/ElementEmitter.h"

namespace gensyn::gpu {

/// Memory through which the threads of a block exchange results, in shared or
/// global memory: 8 bytes for each of them, of which results of up to 32 bits
/// use the first half, without gaps.
struct JoinMemory {
  mlir::Value pointer; ///< of address space 3 or 1
  mlir::Value first;   ///< where it begins, in units of 8 bytes
};

/// The arithmetic of one reduction (reduce_r1, order_r2). All threads of a warp
/// must reach its shuffles, and all threads of a block its barriers.
class LaneReduction {
public:
  LaneReduction(repro::ElementEmitter &emitter, repro::ReduceOp op,
                const Target &target);

  mlir::Value identity();
  mlir::Value combine(mlir::Value x, mlir::Value y);
  /// True if a NaN in results of `combine` may have any payload.
  bool mayComputeNan() const;
  /// Returns `combine` if `inside` holds (null: always), else x.
  mlir::Value step(mlir::Value x, mlir::Value y, mlir::Value inside);

  /// Combines the lanes of `group` adjacent threads by halves. Each thread has
  /// lanes.size() adjacent lanes of one order; lanes without points are null.
  /// Every thread gets the result.
  mlir::Value joinLanes(llvm::SmallVector<mlir::Value> lanes, int64_t group);

  /// Combines `count` words of `memory` in an order of lanes, which may be
  /// nested in its outer part only. All warps compute the same and get the
  /// result; only the blocks of a nested order are divided among warps, with
  /// their results in the words after the first `count`. `thread` is the index
  /// of the thread in its block.
  mlir::Value joinWords(const Order &order, int64_t count, JoinMemory memory,
                        mlir::Value thread, int64_t warps);

  void storeWord(mlir::Value value, const JoinMemory &memory,
                 mlir::Value number);
  mlir::Value loadWord(const JoinMemory &memory, mlir::Value number);

private:
  /// True for a maximum or minimum that is one instruction of the target.
  bool isExtremum() const;
  mlir::Value joinRange(int64_t lanes, mlir::Value begin, mlir::Value end,
                        int64_t most, const JoinMemory &memory,
                        mlir::Value thread);
  mlir::Value toWord(mlir::Value value);
  mlir::Value fromWord(mlir::Value word);
  mlir::Value address(const JoinMemory &memory, mlir::Value number);

  repro::ElementEmitter &emitter;
  mlir::OpBuilder &builder;
  mlir::Location location;
  codegen::IndexBuilder index;
  const Target &target;
  repro::ReduceKind kind;
  mlir::Type element, scalar;
};

} // namespace gensyn::gpu

#endif
