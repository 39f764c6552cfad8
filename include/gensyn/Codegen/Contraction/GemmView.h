// A contraction as many matrix products: the input of the packing and the loops
// of a schedule. Independent of MLIR, so tests build views by hand.

#ifndef GENSYN_CODEGEN_CONTRACTION_GEMMVIEW_H
#define GENSYN_CODEGEN_CONTRACTION_GEMMVIEW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace gensyn::codegen {

/// The three tensors of a product C[row, column] = sum A[row, point] *
/// B[point, column].
enum class GemmTensor { A, B, C };

/// An iterator: its extent and its stride in each tensor, in elements, and in
/// each index of A, B and C that is checked and each index that skips.
struct GemmAxis {
  int64_t extent = 1;
  int64_t a = 0, b = 0, c = 0;
  llvm::SmallVector<int64_t, 2> aChecks = {}, bChecks = {}, cChecks = {},
                                skips = {};

  int64_t stride(GemmTensor tensor) const {
    return tensor == GemmTensor::A ? a : tensor == GemmTensor::B ? b : c;
  }
};
using GemmAxes = llvm::SmallVector<GemmAxis, 4>;

/// An index that may be out of bounds: offset plus the axes' steps. If it is
/// not in [0, extent), the element of A or B reads as +0 and takes part, that
/// of C is not written, and a point that is skipped is omitted from its chain.
struct GemmCheck {
  int64_t offset = 0, extent = 0;
};

/// Every element's address is a sum over the axes. Each list is outermost
/// first. One tile of code handles one value of all `batch` axes.
struct GemmView {
  GemmAxes batch;   ///< in A and B, or unsuitable as rows
  GemmAxes rows;    ///< not in B
  GemmAxes columns; ///< not in A; not in the run
  GemmAxes run;     ///< not in A; one stride in C, or pieces of neighbours
  GemmAxes points;  ///< not in C; their row-major order is the op's
  int64_t aOffset = 0, bOffset = 0, cOffset = 0;
  llvm::SmallVector<GemmCheck, 2> aChecks, bChecks;
  /// Only in views of tiles. Skips depend on batch axes and points alone, so a
  /// point is skipped for a whole product.
  llvm::SmallVector<GemmCheck, 2> cChecks, skips;
  /// Consecutive points that form one fma chain; blocks are added in order.
  int64_t blockSize = 1;
  /// The first point of each block if sizes differ; then blockSize is that of
  /// the first.
  llvm::SmallVector<int64_t> blockStarts;

  int64_t numBatches() const;
  int64_t numRows() const;
  int64_t runLength() const;
  int64_t numColumns() const; ///< including the run
  int64_t numPoints() const;
  int64_t longestBlock() const; ///< in points; at least 1
};

/// The largest stride along the run for which vectors of B are read whole, with
/// the elements in between.
constexpr int64_t kMostGap = 4;

/// Returns the product of the extents of all axes.
int64_t product(llvm::ArrayRef<GemmAxis> axes);

/// Returns the stride of a tensor along the collapsed axes, 0 if it has none of
/// them; std::nullopt if there is no single stride.
std::optional<int64_t> singleStride(llvm::ArrayRef<GemmAxis> axes,
                                    GemmTensor tensor);

/// The rows along the innermost axes that have a single stride in C.
struct RowLine {
  int64_t rows = 1, stride = 0;
};
RowLine lineOfRows(const GemmView &view);

/// Rows of a register tile for which enough registers remain for two vectors of
/// each: 16 registers have 8 lanes at most.
constexpr int64_t mostRowsInTile(int64_t lanes) { return lanes >= 16 ? 8 : 6; }

/// Returns the largest divisor of `number` that is at most `most`.
int64_t largestDivisor(int64_t number, int64_t most);

/// The innermost columns of a run that are equally far from each other in a
/// tensor.
struct ColumnPiece {
  int64_t length = 1, stride = 1;
  size_t outerAxes = 0; ///< of the run, before those of the piece
};
/// Those that are at most kMostGap elements apart in B, a single one if there
/// are no more.
ColumnPiece pieceInB(const GemmView &view);
/// The most of these pieces that a vector of `lanes` columns has lanes of.
int64_t piecesPerVector(const GemmView &view, int64_t lanes);
/// The piece in C: the whole run unless it is joined.
ColumnPiece pieceInC(const GemmView &view);
/// True if the run is joined of pieces with gaps between them in C, such as
/// images of a batch: neighbours there, at least as many as a vector has lanes.
bool isJoined(const GemmView &view);

/// Returns the number of points, along the innermost axes, that are contiguous
/// in A or B; 1 if there are none.
int64_t contiguousPoints(const GemmView &view, GemmTensor tensor);

/// The least number for which they are read by vectors, unless all are.
constexpr int64_t kLeastContiguous = 16;

/// True if points are read by vectors, some of `contiguousPoints` at a time.
bool hasContiguousPoints(const GemmView &view, GemmTensor tensor);

/// The same of B where columns have several strides, or points are checked: as
/// in windows, whose vectors take longer to read, so that there must be more.
constexpr int64_t kLeastOfWindows = 48;
bool hasContiguousWindows(const GemmView &view);

/// The innermost points, the taps, such that an element of A is as far from the
/// start of its row at a tap as the outer points say, times a stride.
struct RowTaps {
  int64_t number, stride;
};
/// Returns the fewest; std::nullopt if there are none or too many. The taps
/// have all checks. With checks the stride is 1, as in windows of images whose
/// channels are adjacent; without, any stride will do if rows share many
/// elements, of which a copy would have several.
std::optional<RowTaps> tapsOfRows(const GemmView &view);

/// True if any axis takes part in a check of A (or B).
bool isChecked(llvm::ArrayRef<GemmAxis> axes, GemmTensor tensor);

/// A plain product: A is M x K and B is K x N, row-major, or stored transposed.
GemmView viewOfMatmul(int64_t m, int64_t n, int64_t k, bool transposeA,
                      bool transposeB);

} // namespace gensyn::codegen

#endif
