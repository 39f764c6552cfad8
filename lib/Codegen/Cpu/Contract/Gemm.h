// The matrix-product schedule: the functions of its launches.
//
// A block is a group of panels of columns (nv vectors each) for some rows of
// one batch. Its part of B is copied into the thread's scratch, kc points at a
// time; one micro-kernel call per mr rows and panel keeps mr x nv accumulators
// in registers along the points, so every element has the fma chain of the op.
// A tile of the launch has some rows of a block. Tiles of a block that follow
// one another are visited together, so that B is copied once for all of them
// that one thread executes. If the chain is longer than kc, the accumulators
// are spilled to scratch; at the end of a block of the order they are added to
// C.
//
// Where the windows of a convolution are along contiguous columns, B is read in
// place instead: each vector of each tap has a mask of the lanes that are
// within bounds, from a table.
//
// Where the windows of a convolution are along contiguous points (channels that
// are the last dimension), A is read in place: a table has a pointer for each
// row of a panel and each tap. Where no element is out of bounds, there is a
// pointer for each row, and an offset for each tap.
//
// A product of few rows takes the time of reading B, which is read in place and
// once: row by row of B, some at a time, where columns are contiguous, and else
// by squares that are transposed in registers.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_GEMM_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_GEMM_H

#include "../Common/StoredTensor.h"
#include "Epilogue.h"
#include "GemmSizes.h"
#include "Prologue.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gensyn::cpu {

/// The element types of the tensors in memory. Panels but those of `rawPanels`
/// and partial sums have the type of the sums. With a prologue, A or B is its
/// main tensor, read raw.
struct GemmTensors {
  StoredTensor a, b, c;
  const Prologue *prologueA = nullptr, *prologueB = nullptr;

  size_t numSidesOfB() const { return prologueB ? prologueB->numSides() : 0; }
};

/// Addresses of the tensors' first elements, of the panels of A (null unless
/// `packA`) and of the thread's scratch.
struct GemmPointers {
  mlir::Value a, b, c, panels, scratch;
  mlir::Value columnPanels; ///< of B, for `packOnce`
  mlir::Value partials;     ///< for emitPoints
  mlir::Value source;       ///< of panels of B in scratch
  llvm::SmallVector<mlir::Value> sidesOfA, sidesOfB; ///< of prologues
};

/// The division into launches, and the memory that they need.
struct GemmLayout {
  /// For each vector of columns: `entries` of the epilogue, and `sides` of B's
  /// prologue.
  GemmLayout(const GemmView &view, const GemmSizes &sizes, int64_t entries = 0,
             size_t sides = 0);

  int64_t rowPanels, rowBlocks, panelsPerBlock;
  int64_t panelsPerTile, tilesPerBlock; ///< panels of rows
  int64_t columnPanels, columnGroups;
  int64_t tiles;                        ///< of the product
  int64_t scratchBytes;                 ///< of the product, per thread
  int64_t packTiles;                    ///< of the packing of A
  int64_t panelsPerPack, pointsPerPack; ///< in one of these
  int64_t workspaceBytes;               ///< of A's panels
  int64_t columnPanelBytes;             ///< of B's panels, with packOnce
  int64_t scratchOfPanels; ///< bytes, where they are copied by way of it
  // Below in sums.
  int64_t batchPanels;    ///< of A's panels, per batch
  int64_t rowPanelStride; ///< between panels of A
  int64_t panelStride;    ///< between panels of B, in their elements
  int64_t fetchStep;     ///< columns that are fetched of each point, rounded up
  int64_t partialStride; ///< between partial sums of panels of columns
  // Offsets in scratch, after the tables of column vectors.
  int64_t entryOffset, blockOffset, tapOffset, panelOffset, partialOffset;
  int64_t rowTapOffset, pointerOffset, zeroOffset; ///< of rows at taps
  int64_t tableEntries; ///< i64 of a vector in the table of columns
  int64_t tapStride;    ///< i64 between the tables of taps of panels
};

/// Returns the number of pointers to a row of A: one for each tap if some are
/// out of bounds.
int64_t pointersPerRow(const GemmView &view);
/// True if taps have offsets from the pointer to a row instead.
bool hasTapOffsets(const GemmView &view);

/// Returns the number of i64 that hold the pointers to rows of A for some
/// panels of rows.
int64_t rowPointersOf(const GemmView &view, const GemmSizes &sizes,
                      int64_t panels);

class GemmEmitter {
public:
  /// `sizes` must be fitted to the view. Micro-kernels become private functions
  /// next to `function`, named after it and the number of the view. `epilogue`
  /// may be null.
  GemmEmitter(CpuBuilder &code, const GemmTensors &tensors,
              const GemmView &view, const GemmSizes &sizes,
              mlir::func::FuncOp function, unsigned number,
              GemmEpilogue *epilogue = nullptr)
      : code(code), tensors(tensors), view(view), sizes(sizes),
        layout(view, sizes, epilogue ? epilogue->numEntries() : 0,
               tensors.numSidesOfB()),
        function(function), number(number), epilogue(epilogue),
        sourceOfB(sizes.rawPanels ? tensors.b.asRaw() : tensors.b),
        panelsOfB(sizes.rawPanels ? sourceOfB : StoredTensor(code)) {}

  /// Emits the tiles [begin, end) (i64) of the product.
  void emitProduct(mlir::Value begin, mlir::Value end,
                   const GemmPointers &pointers);
  /// Emits the tiles [begin, end) of the launch that copies A into panels.
  void emitPackRows(mlir::Value begin, mlir::Value end,
                    const GemmPointers &pointers);

  // For a view without batch axes, if B's panels are copied once.
  /// Emits the copies of B into its panels [begin, end) (i64).
  void emitPackColumns(mlir::Value begin, mlir::Value end,
                       const GemmPointers &pointers);
  /// The same of all panels.
  void emitPackColumns(const GemmPointers &pointers);
  /// Emits `count` points, from the first of A and of the panels on, for all
  /// rows and columns. Sums continue in `partials`, as GemmFlags say.
  void emitPoints(mlir::Value count, mlir::Value flags,
                  const GemmPointers &pointers);

private:
  using Values = CpuBuilder::Values;
  /// The first point and the number of points of a visit, and the position of
  /// C.
  struct Visit {
    mlir::Value first, count, flags;
  };
  /// Returns the values of the axes, outermost first, at linear index `flat`.
  Values decode(llvm::ArrayRef<GemmAxis> axes, mlir::Value flat);
  /// Returns the offset of the axes' values in a tensor, and in one of its
  /// checks.
  mlir::Value offset(llvm::ArrayRef<GemmAxis> axes,
                     llvm::ArrayRef<mlir::Value> at, GemmTensor tensor);
  mlir::Value checkPart(llvm::ArrayRef<GemmAxis> axes,
                        llvm::ArrayRef<mlir::Value> at, GemmTensor tensor,
                        unsigned check);
  const llvm::SmallVector<GemmCheck, 2> &checks(GemmTensor tensor) const {
    return tensor == GemmTensor::A ? view.aChecks : view.bChecks;
  }

  // GemmLoops.cpp
  struct Tile;
  /// A vector of columns: the values of its outer axes, its start in the run,
  /// and the number of its valid lanes.
  struct Column {
    Values outer;
    mlir::Value position, count;
  };
  void emitTile(const Tile &tile, const GemmPointers &pointers);
  void forEachBlock(mlir::Value scratch,
                    llvm::function_ref<void(mlir::Value, mlir::Value)> body);
  void emitVisit(const Tile &tile, const Visit &visit,
                 const GemmPointers &pointers);
  void emitColumnTables(const Tile &tile, mlir::Value scratch);
  /// Stores the entries of a vector of a joined run, in C at `outer`.
  void storeJoined(const Column &column, mlir::Value outer,
                   llvm::function_ref<void(int64_t, mlir::Value)> store);
  /// Returns the address of a panel's table.
  mlir::Value tableOf(const Tile &tile, mlir::Value panel, mlir::Value scratch);
  /// The same of the epilogue's table.
  mlir::Value entriesOf(const Tile &tile, mlir::Value panel,
                        mlir::Value scratch);
  /// Calls `body` for each panel of the tile, with its number of vectors and
  /// whether these are the last ones of all.
  void forEachPanel(const Tile &tile,
                    llvm::function_ref<void(mlir::Value, int64_t, bool)> body);
  void callMicroKernels(const Tile &tile, const Visit &visit,
                        const GemmPointers &pointers);
  using EpilogueFunction = void (GemmEpilogue::*)(const GemmEpilogue::Block &);
  /// Rows of a panel of columns.
  struct RegisterTile {
    mlir::Value row; ///< the first one
    int64_t rows;
    mlir::Value column; ///< the panel
    int64_t vectors;
  };
  GemmEpilogue::Block epilogueBlock(const Tile &tile,
                                    const GemmPointers &pointers,
                                    const RegisterTile &at);
  /// Calls a function of the epilogue if the values of a register tile become
  /// final.
  void callEpilogue(const Tile &tile, const Visit &visit,
                    const GemmPointers &pointers, const RegisterTile &at,
                    EpilogueFunction function);
  Column locate(mlir::Value vectorNumber);
  mlir::Value offsetInB(const Column &column);
  /// Returns the offset of a visit's first point in its panels: those that are
  /// packed tap by tap begin with the first tap.
  mlir::Value startInPanel(const Visit &visit);
  mlir::Value offsetAhead(const Tile &tile, mlir::Value vectorNumber);

  /// True if micro-kernels compute B's elements by a prologue.
  bool computesInPlace() const {
    return tensors.prologueB && sizes.readsStored();
  }
  /// The prologue that computes elements where they are packed; null if there
  /// is none.
  const Prologue *packedPrologue() const {
    return computesInPlace() ? nullptr : tensors.prologueB;
  }

  // GemmMicroKernel.cpp
  /// `isLast` is true for the last vectors of all columns, where that matters.
  mlir::func::FuncOp microKernel(int64_t rows, int64_t vectors, bool isLast);

  // PackColumns.cpp
  /// The innermost points, of which checks of B depend, and the stride in B of
  /// the points before them.
  struct Taps {
    int64_t number, stride;
    llvm::ArrayRef<GemmAxis> axes;
  };
  Taps findTaps() const;
  /// Writes for each panel and tap the offset in B, and for each vector the
  /// mask of the lanes within bounds.
  void emitTapTables(const Tile &tile, const GemmPointers &pointers);
  struct PackedColumn;
  class ColumnLanes;
  class PointChecks;
  void packColumns(const Tile &tile, mlir::Value column, const Visit &visit,
                   const GemmPointers &pointers, mlir::Value panel);
  /// Packs a visit that may cross parts of B's prologue.
  void packParts(const Tile &tile, mlir::Value column, const Visit &visit,
                 const GemmPointers &pointers, mlir::Value panel);
  /// Joins the points of a panel to pairs, in place.
  void joinPairs(mlir::Value panel, mlir::Value points);
  // ByteContract/BytePanels.cpp
  /// Copies all points of a panel of rows.
  void packRowBytes(mlir::Value panel, const GemmPointers &pointers);
  /// Of some rows whose bytes are neighbours; `placeOf` returns the address of
  /// the points from one on of a row.
  void
  packRowsAcross(mlir::Value firstRow, int64_t rows,
                 const GemmPointers &pointers,
                 llvm::function_ref<mlir::Value(mlir::Value, int64_t)> placeOf);
  /// Copies the points of a visit into the panels of columns of a tile.
  void packColumnBytes(const Tile &tile, const Visit &visit,
                       const GemmPointers &pointers, mlir::Value panels);
  void packBytesAlong(const Tile &tile, mlir::Value column, const Visit &visit,
                      const GemmPointers &pointers, mlir::Value panels);
  /// Copies the points of an element: from `point` of the visit on, fewer than
  /// four if `rest` is given.
  struct PointsOfElement {
    mlir::Value first, point, rest;
  };
  void packBytesAcross(const Tile &tile, mlir::Value column,
                       const PointsOfElement &points,
                       const GemmPointers &pointers, mlir::Value panels);
  void storeBytesOfB(mlir::Value value, mlir::Value panel, mlir::Value element,
                     int64_t vector);
  mlir::Value panelOfBytes(const Tile &tile, mlir::Value column,
                           mlir::Value panels);

  class ColumnSides;
  void packContiguous(llvm::ArrayRef<PackedColumn> columns, const Visit &visit,
                      mlir::Value panel);
  void packTransposed(llvm::ArrayRef<PackedColumn> columns, const Visit &visit,
                      mlir::Value panel);
  void packGathered(llvm::ArrayRef<PackedColumn> columns, const Visit &visit,
                    mlir::Value panel);
  void findPieces(PackedColumn &column);
  PackedColumn prepareColumn(const Tile &tile, mlir::Value column,
                             int64_t vector, const GemmPointers &pointers);
  mlir::Value laneMask(const PackedColumn &column,
                       llvm::ArrayRef<GemmAxis> axes,
                       llvm::ArrayRef<mlir::Value> at);

  // PackPanels.cpp
  /// Copies the points of a visit into a panel that holds all of them.
  void packSegment(mlir::Value column, const Visit &visit,
                   const GemmPointers &pointers, mlir::Value panel);

  // FetchColumns.cpp
  /// Returns the offset in B of the first element of the same vector of columns
  /// some panels later.
  mlir::Value offsetOfLater(mlir::Value vectorNumber, int64_t panels);
  /// The same of the elements that it reads at the last tap, where windows
  /// reach what no panel before did.
  mlir::Value offsetOfNext(mlir::Value vectorNumber);
  /// Fetches a part of what the next visit copies into a panel: the visit's
  /// panels of rows have one part each.
  void fetchColumns(const Tile &tile, const Visit &visit,
                    const GemmPointers &pointers, mlir::Value rowPanel,
                    mlir::Value column);
  mlir::func::FuncOp fetchFunction();

  // RowPointers.cpp
  /// Writes zeros for rows out of bounds to read.
  void storeZeros(mlir::Value scratch);
  /// Writes the offsets of taps, if they have any.
  void storeRowTaps(mlir::Value scratch);
  /// Writes the pointers to the tile's rows, [panel][tap][row], or [panel][row]
  /// with offsets.
  void storeRowPointers(const Tile &tile, const GemmPointers &pointers);
  /// Returns the address of those of a panel.
  mlir::Value rowPointersAt(const Tile &tile, mlir::Value panel,
                            mlir::Value scratch);

  // PackRows.cpp
  /// Panels [first, last), points [begin, end).
  struct RowGroup {
    mlir::Value first, last, begin, end;
  };
  /// Returns the offset in a panel of the element that has a point.
  mlir::Value elementOfPoint(mlir::Value point);
  void packRowVectors(const GemmPointers &pointers, const RowGroup &group);
  void packRowSquares(const GemmPointers &pointers, const RowGroup &group);
  void packRowElements(const Values &batch, const GemmPointers &pointers,
                       const RowGroup &group);
  /// Computes elements of A from those of its main tensor, at a row or a vector
  /// of rows and a point, if there is a prologue.
  mlir::Value computeRows(mlir::Value main, const GemmPointers &pointers,
                          mlir::Value row, mlir::Value point, mlir::Value mask);

  CpuBuilder &code;
  const GemmTensors &tensors;
  const GemmView &view;
  const GemmSizes &sizes;
  const GemmLayout layout;
  mlir::func::FuncOp function;
  unsigned number;
  GemmEpilogue *epilogue;
  /// B as it is read to pack it, and the elements of its panels.
  const StoredTensor sourceOfB, panelsOfB;
};

/// Tiles of a block that are visited together: their batch's axes, their panels
/// of rows and of columns.
struct GemmEmitter::Tile {
  mlir::Value number; ///< of the batch
  Values batch;
  mlir::Value firstPanel, lastPanel;   ///< of rows
  mlir::Value firstColumn, lastColumn; ///< of panels of columns
  Values tensors;                      ///< of the epilogue, at the batch
};

/// Actions of a micro-kernel before and after its points, as bits of `flags`.
struct GemmFlags {
  static constexpr int64_t kFromZero = 1;  ///< else from the partial sums
  static constexpr int64_t kEndsBlock = 2; ///< else back to the partial sums
  static constexpr int64_t kAddsToC = 4;   ///< else the block is stored to C
  static constexpr int64_t kFinal = 8;     ///< zero and NaN become canonical
};

/// Panels of A, and points of each, that one tile of the packing launch copies
/// unless they are of bytes: long enough pieces of a row of A for efficient
/// memory access.
constexpr int64_t kRowPanelsPerTile = 64, kPointsPerTile = 64;
/// i64 entries of a tap of a panel in the table: its offset in B, and the masks
/// of the vectors.
inline int64_t tapEntries(const GemmSizes &sizes) { return 1 + sizes.nv; }
/// Points that are copied to scratch before they are folded: an even number.
constexpr int64_t kPointsPerFold = 256;
constexpr int64_t kLineBytes = 64; ///< of a cache
/// Products of fewer points take less time than fetching their results.
constexpr int64_t kLeastFetched = 32;

} // namespace gensyn::cpu

#endif
