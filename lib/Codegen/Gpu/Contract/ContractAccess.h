// How the elements of a contraction's operand lie in memory, which decides how
// they are copied to shared memory.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTACCESS_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTACCESS_H

#include "gensyn/Codegen/Contraction/GemmView.h"

#include <limits>

namespace gensyn::gpu {

constexpr int64_t kMostOf32Bits = std::numeric_limits<int32_t>::max();

/// True if offsets of elements of A, B or C may not fit 32 bits.
bool hasWideOffsets(const codegen::GemmView &view, codegen::GemmTensor tensor);

/// True if numbers of batches, rows, columns and points, and indices that are
/// checked, fit 32 bits.
bool hasShortNumbers(const codegen::GemmView &view);

/// The longest accesses to an operand, in elements: 0 if neighbours are not
/// contiguous, else a power of two.
struct ContractAccess {
  int64_t alongRows = 0; ///< rows of A, columns of B
  int64_t alongPoints = 0;

  /// True if a thread copies points of one row rather than rows of one point.
  bool isAlongPoints() const {
    return alongRows < 4 && alongPoints > alongRows;
  }
};

/// Returns the accesses to A or B, whose elements have `bytes`, of at most
/// `most` elements.
ContractAccess getContractAccess(const codegen::GemmView &view,
                                 codegen::GemmTensor tensor, int64_t bytes,
                                 int64_t most = 4);

/// How a thread copies 8-bit elements to where matrix units read them, which is
/// by rows: neighbours there are points of a row.
struct MatrixCopy {
  int64_t rows = 1;   ///< of a group that a thread copies at once
  int64_t points = 4; ///< of the same
  /// Elements of an access, along points if there is one row, else along rows.
  int64_t width = 1;
  /// Lanes of a warp that copy groups of the same rows, at least.
  int64_t lanes = 1;

  /// True if a group is one access, whose bytes have their order already.
  bool isDirect() const { return width == points && rows == 1; }
  /// Returns the accesses of a group.
  int64_t accesses() const { return rows * points / width; }
};

/// Returns the copies of A or B, whose elements have 8 bits.
MatrixCopy getMatrixCopy(const codegen::GemmView &view,
                         codegen::GemmTensor tensor);

} // namespace gensyn::gpu

#endif
