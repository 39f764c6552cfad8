// A contraction seen as many matrix products: what the packing and the loops
// of a schedule know of it. No MLIR here: tests build views by hand.

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

/// An iterator: its extent and how far one step of it goes in each tensor, in
/// elements, and in each checked index of A, B and C and each skipping one.
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

/// An index that may leave its tensor: offset plus the axes' steps. Where it is
/// not in [0, extent) the element of A or B reads as +0, and takes part; that
/// of C is not written; a point that is skipped is left out of its chain.
struct GemmCheck {
  int64_t offset = 0, extent = 0;
};

/// Every element's address is a sum over the axes. Each list is outermost
/// first. One tile of code handles one value of all `batch` axes.
struct GemmView {
  GemmAxes batch;   ///< in A and B, or not fit for rows
  GemmAxes rows;    ///< not in B; one stride in C
  GemmAxes columns; ///< not in A; not contiguous in C with the run
  GemmAxes run;     ///< not in A; contiguous in C
  GemmAxes points;  ///< not in C; their row-major order is the op's
  int64_t aOffset = 0, bOffset = 0, cOffset = 0;
  llvm::SmallVector<GemmCheck, 2> aChecks, bChecks;
  /// Only in views of tiles. Skips depend on batch axes and points alone, so a
  /// point is left out for a whole product.
  llvm::SmallVector<GemmCheck, 2> cChecks, skips;
  /// Consecutive points that form one fma chain; blocks are added in order.
  int64_t blockSize = 1;

  int64_t numBatches() const;
  int64_t numRows() const;
  int64_t runLength() const;
  int64_t numColumns() const; ///< the run included
  int64_t numPoints() const;
};

/// The number of values of all axes together.
int64_t product(llvm::ArrayRef<GemmAxis> axes);

/// The stride by which a tensor walks all axes as if they were one, 0 if it has
/// none of them; nothing where there is no single stride.
std::optional<int64_t> singleStride(llvm::ArrayRef<GemmAxis> axes,
                                    GemmTensor tensor);

/// True if any axis takes part in a check of A (or B).
bool isChecked(llvm::ArrayRef<GemmAxis> axes, GemmTensor tensor);

/// A plain product: A is M x K and B is K x N, row-major, or stored transposed.
GemmView viewOfMatmul(int64_t m, int64_t n, int64_t k, bool transposeA,
                      bool transposeB);

} // namespace gensyn::codegen

#endif
