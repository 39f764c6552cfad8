// Addresses of a contraction's points if they have no constant stride: those of
// a convolution's windows and of its gradients.
//
// A copy needs the offset of a point in the operand, and the rows whose element
// at that point is out of bounds. Both depend on the point alone, so they are
// computed once for all rows: before a tile is copied to a stage of shared
// memory, a few threads write a table there with one entry per point. An entry
// is one of:
//
//   Offsets  the offset in elements; no point is checked;
//   Bits     the offset, and a word that has a bit in common with the word of a
//            row if and only if the element is out of bounds;
//   Parts    the offset, and the point's contribution to each checked index, if
//            there are too many values for bits.
//
// An offset is one word, or two of a large operand (ContractSizes::isWide).
//
// Bits: a checked index is the sum of a row's and a point's contribution, and
// one of the two has few values, as a window has few taps. Each such value has
// a bit. The word of the side with few values has the bit of its value; the
// word of the other side has the bits of all values that are out of bounds.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTPOINTS_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTPOINTS_H

#include "../Common/KernelBuilder.h"
#include "ContractSizes.h"

namespace gensyn::gpu {

/// Returns the constant stride between consecutive points in A or B, in
/// elements. Returns std::nullopt if there is none, or if points are skipped or
/// checked against bounds.
std::optional<int64_t> constantPointStride(const codegen::GemmView &view,
                                           codegen::GemmTensor tensor);

/// True if a tile of points may extend past the end of a block of the order.
bool hasRaggedTiles(const codegen::GemmView &view, const ContractSizes &sizes);

class PointTable {
public:
  using Values = KernelBuilder::Values;

  PointTable(const codegen::GemmView &view, const ContractSizes &sizes,
             codegen::GemmTensor tensor);

  /// 32-bit words of an entry; 0: no table is needed.
  int64_t words() const { return numWords; }
  /// Returns the bytes of the entries of a tile of points.
  int64_t bytes() const { return 4 * numWords * sizes.bk; }

  /// Encodes the bounds checks of a row. `values` are the values of its axes,
  /// and `parts` its contributions to the checked indices, including those of
  /// batch axes and offsets. `valid` is true if the row exists (null: always).
  Values codeRow(KernelBuilder &k, llvm::ArrayRef<mlir::Value> values,
                 llvm::ArrayRef<mlir::Value> parts, mlir::Value valid) const;
  /// Returns the entry of point `number`, which may be past the end.
  /// `batchParts` and `skipParts` are the contributions of batch axes and
  /// offsets to checked indices and to indices that skip points; `end` is the
  /// end of the block of the order, null if no tile is ragged.
  Values codePoint(KernelBuilder &k, mlir::Value number, mlir::Value end,
                   llvm::ArrayRef<mlir::Value> batchParts,
                   llvm::ArrayRef<mlir::Value> skipParts) const;
  /// Returns the offset of an entry, in elements.
  mlir::Value offsetOf(KernelBuilder &k,
                       llvm::ArrayRef<mlir::Value> entry) const;
  /// Returns the predicate that the element of an encoded row and an entry is
  /// in bounds; null if it always is.
  mlir::Value test(KernelBuilder &k, llvm::ArrayRef<mlir::Value> row,
                   llvm::ArrayRef<mlir::Value> entry) const;

private:
  enum class Kind { Offsets, Bits, Parts };
  /// The possible contributions of rows or points to a checked index; bit
  /// `first` + i stands for values[i].
  struct Taps {
    llvm::SmallVector<unsigned> axes;
    int64_t first = 0;
    llvm::SmallVector<int64_t> values;
  };
  llvm::SmallVector<Taps> findTaps(llvm::ArrayRef<codegen::GemmAxis> axes,
                                   int64_t &bits) const;
  mlir::Value markTaps(KernelBuilder &k, llvm::ArrayRef<codegen::GemmAxis> axes,
                       llvm::ArrayRef<mlir::Value> values) const;
  mlir::Value markOutside(KernelBuilder &k,
                          llvm::ArrayRef<mlir::Value> parts) const;
  int64_t stepOf(const codegen::GemmAxis &axis, size_t check) const {
    return isB ? axis.bChecks[check] : axis.aChecks[check];
  }

  const codegen::GemmView &view;
  const ContractSizes &sizes;
  codegen::GemmTensor tensor;
  bool isB, isRagged, isWide;
  const codegen::GemmAxes &rows;
  llvm::ArrayRef<codegen::GemmCheck> checks;
  Kind kind = Kind::Offsets;
  int64_t offsetWords, numWords = 0;
  bool tapsInRows = false; ///< else of points
  llvm::SmallVector<Taps> taps;
};

} // namespace gensyn::gpu

#endif
