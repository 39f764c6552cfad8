// Sorts numbers by their targets: those of one target become adjacent, in
// ascending order.

#ifndef GENSYN_LIB_CODEGEN_GPU_SEGMENTSORT_H
#define GENSYN_LIB_CODEGEN_GPU_SEGMENTSORT_H

#include "../Common/KernelBuilder.h"
#include "SortSizes.h"

namespace gensyn::gpu {

/// Sorts the numbers 0 to count - 1 by their targets, which are at most
/// kNoTarget. An item has 64 bits, the target above the number. Items are
/// distinct, so every sorting algorithm gives the same order.
///
/// The first launch sorts chunks, each in a block (SortNetwork). The others
/// merge `ways` sorted runs into one (MergeRuns), alternating between two
/// workspaces.
struct SegmentSort {
  static constexpr int64_t kNoTarget = 0x7FFFFFFF;
  /// Chunks are powers of two.
  static constexpr int64_t kLeastChunk = 64, kMostChunk = 2048;

  int64_t count = 0, chunk = kMostChunk, ways = 4;
  int64_t warpSize = 32; ///< the target's

  SortSizes sizes() const;
  unsigned launches() const {
    return static_cast<unsigned>(1 + sizes().runs.size());
  }

  /// Appends the launches, and the one or two workspaces that they need.
  void addTo(KernelPlan &plan) const { sizes().addTo(plan, /*kept=*/true); }
  /// Returns which of these workspaces holds the sorted items at the end.
  unsigned resultSpace() const { return (launches() - 1) % 2; }

  /// Emits the first launch. `targetOf` emits the target (i32) of a number (an
  /// i32 below count), null after an error; several threads may request the
  /// same number. `space` is the first workspace.
  llvm::LogicalResult
  emitChunks(KernelBuilder &b, mlir::Value shared, mlir::Value space,
             llvm::function_ref<mlir::Value(mlir::Value)> targetOf) const;
  /// Emits merge `pass` between the workspaces.
  void emitMerge(KernelBuilder &b, unsigned pass, mlir::Value from,
                 mlir::Value to) const;
};

} // namespace gensyn::gpu

#endif
