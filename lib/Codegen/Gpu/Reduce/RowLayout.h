// Assigns the points of a row to threads.

#ifndef GENSYN_LIB_CODEGEN_GPU_ROWLAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_ROWLAYOUT_H

#include "RowStage.h"
#include "gensyn/Codegen/Gpu/Schedule.h"
#include "llvm/Support/MathExtras.h"

namespace gensyn::gpu {

/// The options of a kernel's `schedule` attribute.
struct RowScheduleOptions {
  bool hold = true;   ///< rows may be held in registers
  bool stage = true;  ///< and kept in shared memory
  bool spread = true; ///< and units may be spread over the grid
  // Numbers of RowLayout; 0: its table's.
  int64_t warps = 0, unrolled = 0;
};

/// A row is split into units: one, or the blocks of a `blocked` order. A group
/// of `group` threads of one warp passes over a unit in steps of `lanes`
/// points, of which each thread has `perThread` adjacent ones.
struct RowLayout {
  static constexpr int64_t kUnrolled = 8;
  int64_t rows = 1, columns = 1;
  int64_t lanes = 32;    ///< L of the order; 1 for a sequential one
  int64_t unit = 1;      ///< points of a unit; the last may have fewer
  int64_t units = 1;     ///< per row
  int64_t group = 32;    ///< a power of two, divides warpSize
  int64_t perThread = 1; ///< group * perThread = lanes
  int64_t access = 1;    ///< adjacent elements per access: 1, 2 or 4
  int64_t warps = 4;     ///< per block
  int64_t warpSize = 32; ///< the target's
  /// If true, every point of the row has a register and all steps are unrolled,
  /// so that a reduction reuses the elements of the previous one. Otherwise the
  /// steps are loops, and elements are computed again in each walk.
  bool isHeld = false;
  /// The values that are kept in shared memory because several walks need them.
  /// Each element is accessed only by the thread that has its point. Other
  /// elements are read and computed again in each walk, or held in registers.
  RowStage stage;
  /// If true, the stage leaves room for one block per multiprocessor only,
  /// whose threads may then have all registers.
  bool isAlone = false;
  /// For staged rows, walks without an order, in which a thread has four
  /// adjacent points and accesses 16 bytes: the first walk, and that of the
  /// results. Threads then read elements that other threads of the warp wrote.
  bool wideFirst = false, wideResults = false;
  /// For each walk, the points of a thread in a loop body, whose loads are in
  /// flight together; fewer if the code of a point is long.
  llvm::SmallVector<int64_t> unrolled;
  /// If true, the units of all rows are spread over the grid, and a second
  /// launch combines their results from global memory. For kernels with too few
  /// rows to fill the device.
  bool isSplit = false;
  int64_t splitWarps = 4; ///< per block of the first launch

  int64_t threads() const { return warps * warpSize; }
  /// Returns 1 if a row has several units, which then share the block's warps.
  int64_t rowsPerBlock() const { return units > 1 ? 1 : threads() / group; }
  /// Returns the number of points of the last unit.
  int64_t lastUnit() const { return columns - (units - 1) * unit; }
  /// True if the code of a point is long, so that a walk repeats it as little
  /// as possible.
  bool isCompact(unsigned walk) const { return unrolled[walk] < kUnrolled; }
  /// True if the points of threads in a walk differ from the order's lanes.
  bool isWide(unsigned walk) const {
    return walk == 0 ? wideFirst : wideResults && walk + 1 == unrolled.size();
  }
  /// Return the points of a step of a walk, those of a thread in it, and those
  /// of an access.
  int64_t lanesOf(unsigned walk) const {
    return isWide(walk) ? warpSize * 4 : lanes;
  }
  int64_t perThreadOf(unsigned walk) const {
    return isWide(walk) ? 4 : perThread;
  }
  int64_t accessOf(unsigned walk) const { return isWide(walk) ? 4 : access; }
  /// Returns the points of a row in shared memory, rounded up to whole steps.
  int64_t stagedColumns() const {
    const int64_t step = wideFirst || wideResults ? warpSize * 4 : lanes;
    return llvm::divideCeil(columns, step) * step;
  }
  /// Returns the bytes of shared memory for the staged rows of a block.
  int64_t stageBytes() const {
    return stage.bytesPerPoint * stagedColumns() * rowsPerBlock();
  }
};

/// Returns the lanes of an order of lanes, 1 for a sequential order, and
/// std::nullopt for others.
std::optional<int64_t> lanesOf(const Order &order);

/// Returns the order of a reduction; std::nullopt if it has none.
std::optional<Order> ownOrder(repro::ReduceOp reduce);

/// Returns an order of `points` points for reductions without one.
Order anyOrder(int64_t points);

/// Returns the layout for the reductions of a Rows kernel; std::nullopt if
/// their orders have other forms than lanes, alone or in blocks.
std::optional<RowLayout>
chooseRowLayout(const repro::KernelForm &form, const Target &target,
                const RowScheduleOptions &options = {});

/// Returns the words (of 8 bytes) needed to combine the units of all reductions
/// of a row.
int64_t countJoinWords(const repro::KernelForm &form, const RowLayout &layout);

/// Returns the order in which the results of a reduction's units are combined.
Order outerOrder(repro::ReduceOp reduce, const RowLayout &layout);

/// Returns the words (of 8 bytes) needed to combine `count` results, including
/// these.
int64_t countJoinSlots(const Order &outer, int64_t count);

} // namespace gensyn::gpu

#endif
