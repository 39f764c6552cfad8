// Assigns the points of a row to threads.

#ifndef GENSYN_LIB_CODEGEN_GPU_ROWLAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_ROWLAYOUT_H

#include "RowStage.h"
#include "gensyn/Codegen/Gpu/Schedule.h"
#include "llvm/Support/MathExtras.h"

namespace gensyn::gpu {

/// The options of a kernel's `schedule` attribute.
struct RowWishes {
  bool hold = true;   ///< rows may be held in registers
  bool stage = true;  ///< and kept in shared memory
  bool spread = true; ///< and units may go over the grid
};

/// A row is cut into units: one, or the blocks of a `blocked` order. A group of
/// `group` threads of one warp walks a unit, `lanes` points a step, of which
/// each thread has `perThread` neighbours.
struct RowLayout {
  static constexpr int64_t kUnrolled = 8;
  int64_t rows = 1, columns = 1;
  int64_t lanes = 32;    ///< L of the order; 1 for a sequential one
  int64_t unit = 1;      ///< points of a unit; the last may have fewer
  int64_t units = 1;     ///< of a row
  int64_t group = 32;    ///< a power of two, divides warpSize
  int64_t perThread = 1; ///< group * perThread = lanes
  int64_t access = 1;    ///< neighbours of one memory access: 1, 2 or 4
  int64_t warps = 4;     ///< of a block
  int64_t warpSize = 32; ///< the target's
  /// Every point of the row has a register, and the code of every step is
  /// written out: what one reduction needed is there for the next. Else the
  /// steps are loops, and elements are computed again in each walk.
  bool isHeld = false;
  /// Values that several walks need are kept in shared memory between them;
  /// each element is accessed only by the thread that has its point. Other
  /// elements are read and computed again in each walk, or held.
  RowStage stage;
  /// Of staged rows, walks that have no order to keep: threads have four
  /// neighbours each, and accesses 16 bytes. The first walk and that of the
  /// results, which has `wideResults`; others of the warp read what it wrote.
  bool wideFirst = false, wideResults = false;
  /// Of each walk, the points of a thread in the body of a loop: loads that are
  /// under way at once, but fewer where the code of a point is long.
  llvm::SmallVector<int64_t> unrolled;
  /// Units of all rows go over the grid, and their results through global
  /// memory to a second launch: where there are fewer rows than the device has
  /// room for.
  bool isSplit = false;

  int64_t threads() const { return warps * warpSize; }
  /// One where a row has several units: then its warps are the block's.
  int64_t rowsPerBlock() const { return units > 1 ? 1 : threads() / group; }
  /// Points of the last unit.
  int64_t lastUnit() const { return columns - (units - 1) * unit; }
  /// The code of a point is long: a walk has it as few times as can be.
  bool isCompact(unsigned walk) const { return unrolled[walk] < kUnrolled; }
  /// True if threads have other points in a walk than the order's lanes say.
  bool isWide(unsigned walk) const {
    return walk == 0 ? wideFirst : wideResults && walk + 1 == unrolled.size();
  }
  /// Points of a step of a walk, and of a thread in it; neighbours of an
  /// access.
  int64_t lanesOf(unsigned walk) const {
    return isWide(walk) ? warpSize * 4 : lanes;
  }
  int64_t perThreadOf(unsigned walk) const {
    return isWide(walk) ? 4 : perThread;
  }
  int64_t accessOf(unsigned walk) const { return isWide(walk) ? 4 : access; }
  /// Points of a row that have a place in shared memory: whole steps.
  int64_t stagedColumns() const {
    const int64_t step = wideFirst || wideResults ? warpSize * 4 : lanes;
    return llvm::divideCeil(columns, step) * step;
  }
  /// Shared memory that the rows of a block are staged in.
  int64_t stageBytes() const {
    return stage.bytesPerPoint * stagedColumns() * rowsPerBlock();
  }
};

/// The lanes of an order of lanes, 1 for a sequential one, else nothing.
std::optional<int64_t> lanesOf(const Order &order);

/// The order that a reduction states; nothing where any will do.
std::optional<Order> ownOrder(repro::ReduceOp reduce);

/// An order for `points` points of what may be reduced in any.
Order anyOrder(int64_t points);

/// Returns the layout for the reductions of a Rows kernel; std::nullopt if
/// their orders have other forms than lanes, alone or in blocks.
std::optional<RowLayout> chooseRowLayout(const repro::KernelForm &form,
                                         const Target &target,
                                         const RowWishes &wishes = {});

/// Words (8 bytes) that joining the units of all reductions of a row takes.
int64_t countJoinWords(const repro::KernelForm &form, const RowLayout &layout);

/// The order in which results of a reduction's units are joined.
Order outerOrder(repro::ReduceOp reduce, const RowLayout &layout);

/// Words (8 bytes) that joining `count` results takes, these included.
int64_t countJoinSlots(const Order &outer, int64_t count);

} // namespace gensyn::gpu

#endif
