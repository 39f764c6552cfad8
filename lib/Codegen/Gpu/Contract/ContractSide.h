// Moves one operand of a contraction through shared memory to registers.
//
// The operand's part of a tile is `extent` rows (for B: columns; here both are
// called rows) by bk points. In shared memory it has one of four layouts:
//
//   Points    [point][row]. Threads copy runs of rows. A warp reads 4 rows per
//             thread of one point; the rows of adjacent threads are adjacent.
//   Swizzled  [point][row ^ f(point / 4)]. For an operand whose points are
//             contiguous in global memory. A thread copies 4 points of a row,
//             element by element. The threads of a warp copy bk/4 different
//             groups of points; the xor maps them to different banks. It moves
//             whole groups of 8 rows, so 4 rows are still one access.
//   Rows      [row][point ^ g(row)]. For the same operand if it is copied 16
//             bytes at a time. A thread reads 4 points of each of its rows.
//   Matrix    [row][point ^ h(row)]. For the bytes that matrix units multiply;
//             ContractMatrix.cpp copies and reads them.
//
// The rows of a thread form groups of 4 (Rows: 1; Matrix: 2 of B, 1 of A), one
// warp's width apart, so that the accesses of a warp have no gaps.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTSIDE_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTSIDE_H

#include "../Common/KernelBuilder.h"
#include "ContractAccess.h"
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
/// Returns the sum of values times `step` of their axes, of the builder's type.
mlir::Value walkAxes(const codegen::IndexBuilder &k, const GemmAxes &axes,
                     llvm::ArrayRef<mlir::Value> values,
                     llvm::function_ref<int64_t(const GemmAxis &)> step);

/// The first point of a tile, and the end of its block of the order; null if
/// the kernel does not need them.
struct PointRange {
  mlir::Value first, end;
};

class ContractSide {
public:
  using Values = KernelBuilder::Values;
  enum class Layout { Points, Swizzled, Rows, Matrix };

  /// `element` is the element type of the operand, and `sum` that of the sums;
  /// `pointer` points to the first element.
  ContractSide(KernelBuilder &k, const GemmView &view,
               const ContractSizes &sizes, GemmTensor tensor,
               mlir::Type element, mlir::Type sum, mlir::Value pointer);

  /// Returns the type of elements of `sum` in registers and shared memory.
  mlir::Type getSumType() const { return wide; }

  /// True if points have a constant stride.
  bool isAffine() const { return pointStride.has_value(); }
  /// True if copies are asynchronous, since no element is converted and no two
  /// change places.
  bool isAsync() const {
    return sizes.async &&
           (sizes.matrix ? bytesCopy.isDirect() : stored == wide);
  }
  /// True if the elements of the operand are unsigned integers; those of both
  /// operands are, or none (contract_c1).
  bool isUnsigned() const { return element.isUnsignedInteger(); }

  /// Computes the thread's rows. Must be called before anything else is
  /// emitted.
  void placeFragments(mlir::Value thread);

  /// Emits the values that are the same for all points. `shared` is the
  /// operand's part of the first stage, and `points` its table of points;
  /// `tile` is the index of the tile of rows, `batch` the values of batch axes,
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
  /// Advances them by `step` points, or by one tile of bk points if it is null.
  Values advance(mlir::ValueRange carried, mlir::Value step);

  /// Starts the copies of a tile into the stage at byte `stage`.
  void copyTile(mlir::ValueRange carried, const PointRange &points,
                mlir::Value stage);
  /// The same in two steps: from global memory to registers, and from registers
  /// to shared memory. If the tile is not `wanted` (null: it is), it may be
  /// past the end, and the elements are undefined.
  Values loadTile(mlir::ValueRange carried, const PointRange &points,
                  mlir::Value stage, mlir::Value wanted = {});
  void storeTile(mlir::ValueRange values, mlir::Value stage);

  /// Returns the points that one set of fragments covers.
  int64_t pointsPerFragment() const {
    return layout == Layout::Matrix ? kMatrixPoints
           : layout == Layout::Rows ? 4
                                    : 1;
  }
  /// Loads the thread's elements of points [point, point +
  /// pointsPerFragment()). With matrix units these are four words for each 16
  /// rows (GpuTarget::loadMatrices).
  Values loadFragment(mlir::Value stage, int64_t point);
  /// Returns the thread's elements of one of these points, one per row.
  Values elementsOf(llvm::ArrayRef<mlir::Value> fragment, int64_t point);

  /// Returns the row of the tile that is the thread's row `i`.
  mlir::Value rowOf(int64_t i);
  mlir::Value rowOf(mlir::Value i);
  /// Returns the number of consecutive rows in a group of the thread.
  int64_t group() const {
    if (layout == Layout::Matrix)
      return isB() ? 2 : 1;
    return layout == Layout::Rows ? 1 : vector;
  }

private:
  struct Place {
    mlir::Value offset;   ///< in elements; null: 0
    int64_t constant = 0; ///< in elements, added to it
    llvm::SmallVector<mlir::Value, 2> checks;
    mlir::Value valid;
    Values code;         ///< encoded by the table of points; replaces checks
    mlir::Value address; ///< replaces the offset; null: none
  };
  /// A copy of one row's points, with its destination in shared memory.
  struct Piece {
    mlir::Value address, valid, shared;
    int64_t sharedOffset = 0, count = 1;
  };
  /// The rows and points that the thread copies; `row` and `point` are the
  /// first.
  struct Share {
    mlir::Value row, point;
    int64_t rowStep = 0, rowCount = 1;
  };
  void chooseLayout();
  Share shareTile(mlir::Value thread);
  Share shareMatrix(mlir::Value thread);
  void placeDestinations(const Share &share, mlir::Value shared);
  Place placeRow(mlir::Value row, mlir::Value valid);
  Place placePoint(mlir::Value number, int64_t constant,
                   const PointRange &points);
  void prepareTable(mlir::Value points, llvm::ArrayRef<mlir::Value> batch);
  /// Loads the table entries of the thread's points in a stage.
  llvm::SmallVector<Values> readTable(mlir::Value stage);
  void forEachPiece(mlir::ValueRange carried, const PointRange &points,
                    mlir::Value stage,
                    llvm::function_ref<void(const Piece &)> copy);
  mlir::Value widen(mlir::Value stored);
  /// Returns the accesses along the points of the thread, and the position of
  /// one relative to the thread's first point.
  int64_t accessesAlongPoints() const;
  int64_t pointOfAccess(int64_t access) const;
  mlir::Value loadPiece(mlir::Value address, int64_t count);

  // With layout Matrix.
  /// Returns the swizzle of a row of the tile: what its 16-byte chunks are
  /// xored with.
  mlir::Value swizzleOf(mlir::Value row);
  void placeMatrixRows(const Share &share, mlir::Value shared);
  void placeMatrixFragments(mlir::Value thread, mlir::Value shared);
  /// Returns the place in stage 0 of a row of the thread's group `i` at the
  /// group of points that starts `point` after the thread's first one.
  mlir::Value matrixPlace(size_t i, int64_t row, int64_t point);
  /// If the last values are single bytes of whole groups, replaces them by
  /// words, so that they take fewer registers.
  void joinSingles(Values &values);
  void storeMatrix(mlir::ValueRange values, mlir::Value stage);
  Values loadMatrixFragment(mlir::Value stage, int64_t point);
  llvm::SmallVector<int64_t, 2> checkSteps(const GemmAxis &axis) const {
    auto steps = isB() ? axis.bChecks : axis.aChecks;
    return {steps.begin(), steps.end()};
  }
  bool isB() const { return tensor == GemmTensor::B; }

  KernelBuilder &k;
  const GemmView &view;
  const ContractSizes &sizes;
  GemmTensor tensor;
  const codegen::IndexBuilder &offsets; ///< of elements
  mlir::Type element, sum, stored, wide;
  int64_t bytes, unit; ///< of an element in global and in shared memory
  mlir::Value pointer;
  const GemmAxes &rows;
  llvm::ArrayRef<GemmCheck> checks;
  int64_t extent, count, lanes, vector, threads; ///< tile, thread, warp
  std::optional<int64_t> pointStride, rowStride;
  const PointTable table;

  Layout layout = Layout::Points;
  bool alongPoints = false; ///< a thread copies runs of points
  int64_t width = 1;        ///< elements of a copy
  int64_t run = 1;          ///< adjacent points that share bounds checks
  /// Swizzled: rows of 4-point group i are xored with (i mod swizzleCount) *
  /// swizzleStep.
  int64_t swizzleStep = 0, swizzleCount = 1;
  /// Rows: 4-point groups are xored with (row >> keepShift) & keepMask.
  int64_t keepShift = 0, keepMask = 0;

  // Emitted by prepare().
  mlir::Value active;              ///< threads that copy; null: all
  mlir::Value base, firstOfThread; ///< the thread's pointer and first point
  llvm::SmallVector<Place> rowPlaces;
  llvm::SmallVector<mlir::Value> rowShared; ///< byte offset of row i in a stage
  llvm::SmallVector<int64_t> rowSharedOffset;
  int64_t pointStep = 1,
          pointCount = 1; ///< of a thread that copies runs of rows, or groups
  Values skipBatch, checkBatch;
  mlir::Value
      ownThread; ///< index of the entry that the thread writes, if below bk
  mlir::Value entries, ownEntries; ///< in stage 0: all, and those of the thread
  mlir::Value readIndex, readShared; ///< of the first row of the fragments
  mlir::Value readLane;
  MatrixCopy bytesCopy; ///< the rest is of layout Matrix
  Values rowSwizzle;    ///< of row i, and of the thread's first point
  /// The thread's row and chunk of the first 16 rows, and of those whose points
  /// are 32 further or the next 16 rows.
  std::array<mlir::Value, 2> readMatrix;
};

} // namespace gensyn::gpu

#endif
