// One operand of a contraction on its way to the registers.
//
// The operand's part of a tile is `extent` rows (for B: columns; here both are
// called rows) by bk points. In shared memory it lies in one of three layouts:
//
//   Points    [point][row]. Threads copy runs of rows; a warp reads 4 rows per
//             thread of one point, neighbours next to each other.
//   Swizzled  [point][row ^ f(point / 4)]. For an operand whose points are
//             contiguous in global memory: a thread copies 4 points of a row,
//             element by element, and the exclusive-or sends the threads of a
//             warp, which stand at bk/4 different points, to different banks.
//             It moves whole groups of 8 rows, so 4 rows still are one access.
//   Rows      [row][point ^ g(row)]. The same operand copied 16 bytes at a
//   time;
//             a thread reads 4 points of each of its rows.
//
// Rows of a thread: in groups of 4 (Rows: 1) that are a warp's width apart, so
// that a warp's accesses are without gaps.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTSIDE_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTSIDE_H

#include "../Common/KernelBuilder.h"
#include "ContractPoints.h"
#include "ContractSizes.h"

namespace gensyn::gpu {

using codegen::GemmAxes;
using codegen::GemmAxis;
using codegen::GemmCheck;
using codegen::GemmTensor;
using codegen::GemmView;

/// Returns the values of the axes, outermost first, at linear index `flat`.
KernelBuilder::Values decodeAxes(KernelBuilder &k, const GemmAxes &axes,
                                 mlir::Value flat);
/// Returns the sum of values times `step` of their axes.
mlir::Value walkAxes(KernelBuilder &k, const GemmAxes &axes,
                     llvm::ArrayRef<mlir::Value> values,
                     llvm::function_ref<int64_t(const GemmAxis &)> step);

/// First point of a tile, and end of its block of the order. Null if the kernel
/// does not need the number.
struct PointRange {
  mlir::Value first, end;
};

class ContractSide {
public:
  using Values = KernelBuilder::Values;
  enum class Layout { Points, Swizzled, Rows };

  /// `element` is the operand's element type, `sum` that of the sums, which has
  /// sizes.elementBytes; `pointer` is the operand's first element.
  ContractSide(KernelBuilder &k, const GemmView &view,
               const ContractSizes &sizes, GemmTensor tensor,
               mlir::Type element, mlir::Type sum, mlir::Value pointer);

  /// The type of an element of `sum` in registers and in shared memory.
  mlir::Type getSumType() const { return wide; }

  /// True if the next points are a constant step away.
  bool isAffine() const { return pointStride.has_value(); }
  /// True if copies can run beside the thread: nothing has to be converted.
  bool isAsync() const { return sizes.async && stored == wide; }

  /// Finds the thread's rows; before anything else is emitted.
  void placeFragments(mlir::Value thread);

  /// Emits what does not change along the points. `shared` is where the
  /// operand's part of the first stage is, and `points` its table of points;
  /// `tile` the number of the tile of rows, `batch` the values of batch axes,
  /// `first` the first point.
  void prepare(mlir::Value thread, mlir::Value shared, mlir::Value points,
               mlir::Value tile, llvm::ArrayRef<mlir::Value> batch,
               mlir::Value first);

  /// The table of points that have no constant stride. A copy of a tile to a
  /// stage needs its entries there. All threads write them together, with
  /// different threads for A and B if there are enough.
  const PointTable &getTable() const { return table; }
  void writeTable(const PointRange &points, mlir::Value stage);

  /// Returns the loop-carried values for copies of the first tile: a pointer,
  /// or empty.
  Values start() const;
  /// Advances them by one tile of points: by `step` points, a number or null
  /// for bk.
  Values advance(mlir::ValueRange carried, mlir::Value step);

  /// Starts the copies of a tile into the stage at byte `stage`.
  void copyTile(mlir::ValueRange carried, const PointRange &points,
                mlir::Value stage);
  /// The same in two steps: global to registers, registers to shared.
  Values loadTile(mlir::ValueRange carried, const PointRange &points,
                  mlir::Value stage);
  void storeTile(mlir::ValueRange values, mlir::Value stage);

  /// Points that one set of fragments serves: 4 with Rows, else 1.
  int64_t pointsPerFragment() const { return layout == Layout::Rows ? 4 : 1; }
  /// The thread's part of points [point, point + pointsPerFragment()).
  Values loadFragment(mlir::Value stage, int64_t point);
  /// The thread's elements of one of these points, one per row.
  Values elementsOf(llvm::ArrayRef<mlir::Value> fragment, int64_t point);

  /// The tile's row that is number `i` of the thread.
  mlir::Value rowOf(int64_t i);
  mlir::Value rowOf(mlir::Value i);
  /// Rows of the thread that follow one another.
  int64_t group() const { return layout == Layout::Rows ? 1 : vector; }

private:
  struct Place {
    mlir::Value offset;   ///< elements; null: none
    int64_t constant = 0; ///< elements, beside it
    llvm::SmallVector<mlir::Value, 2> checks;
    mlir::Value valid;
    Values code;         ///< of a table of points, instead of checks
    mlir::Value address; ///< instead of an offset; null: none
  };
  /// A copy: a row and points, and where it goes in shared memory.
  struct Piece {
    mlir::Value address, valid, shared;
    int64_t sharedOffset, count;
  };
  int64_t widthAlong(const GemmAxes &along) const;
  void chooseLayout();
  Place placeRow(mlir::Value row, mlir::Value valid);
  Place placePoint(mlir::Value number, int64_t constant,
                   const PointRange &points);
  void prepareTable(mlir::Value points, llvm::ArrayRef<mlir::Value> batch);
  /// The entries of the thread's points in a stage.
  llvm::SmallVector<Values> readTable(mlir::Value stage);
  void forEachPiece(mlir::ValueRange carried, const PointRange &points,
                    mlir::Value stage,
                    llvm::function_ref<void(const Piece &)> copy);
  mlir::Value widen(mlir::Value stored);
  llvm::SmallVector<int64_t, 2> checkSteps(const GemmAxis &axis) const {
    auto steps = isB() ? axis.bChecks : axis.aChecks;
    return {steps.begin(), steps.end()};
  }
  bool isB() const { return tensor == GemmTensor::B; }

  KernelBuilder &k;
  const GemmView &view;
  const ContractSizes &sizes;
  GemmTensor tensor;
  mlir::Type element, sum, stored, wide;
  int64_t bytes, unit; ///< of an element in global and in shared memory
  mlir::Value pointer;
  const GemmAxes &rows;
  llvm::ArrayRef<GemmCheck> checks;
  int64_t extent, count, lanes, vector, threads; ///< tile, thread, warp
  std::optional<int64_t> pointStride, rowStride;
  const PointTable table;

  Layout layout = Layout::Points;
  bool alongPoints = false; ///< threads copy runs of points
  int64_t width = 1;        ///< elements of a piece
  int64_t run = 1;          ///< points that are never checked apart
  /// Exclusive-or per 4 points (Swizzled), and how many differ.
  int64_t swizzleStep = 0, swizzleCount = 1;
  /// Rows: the exclusive-or of 4-point groups is (row >> shift) & mask.
  int64_t keepShift = 0, keepMask = 0;

  // Emitted by prepare().
  mlir::Value active;              ///< threads that copy; null: all
  mlir::Value base, firstOfThread; ///< pointer of the thread; its first point
  llvm::SmallVector<Place> rowPlaces;
  llvm::SmallVector<mlir::Value> rowShared; ///< byte of row i in a stage
  llvm::SmallVector<int64_t> rowSharedOffset;
  int64_t pointStep = 1, pointCount = 1; ///< of a thread that copies rows
  Values skipBatch, checkBatch;
  mlir::Value ownThread; ///< number of the thread's entry, if below bk
  mlir::Value entries, ownEntries;   ///< in stage 0: of all, of its points
  mlir::Value readIndex, readShared; ///< of fragments: the thread's first row
  mlir::Value readLane;
};

} // namespace gensyn::gpu

#endif
