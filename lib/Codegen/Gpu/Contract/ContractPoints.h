// Addresses of a contraction's points that no constant step joins: those of a
// convolution's windows and of its gradients.
//
// A copy needs the offset of a point in the operand, and the rows at which it
// must not be read. Both depend on the point alone, so they are computed once
// for all rows: a few threads write them for a tile of points, one entry per
// point, to the stage of shared memory before that tile is
// copied. An entry is
//
//   Offsets  the offset in elements, where every point is read;
//   Bits     the offset and a word that has a bit in common with the word of a
//            row if and only if the element is not there;
//   Parts    the offset and the point's part of every checked index, where
//   these
//            are too many for bits.
//
// The bits: an index that is checked is the sum of a row's and a point's part,
// and one of both has few values, as a window has few taps. Each such value is
// a bit; who has it sets it, and the other sets the bits of those values that
// lead outside.

#ifndef GENSYN_LIB_CODEGEN_GPU_CONTRACTPOINTS_H
#define GENSYN_LIB_CODEGEN_GPU_CONTRACTPOINTS_H

#include "../Common/KernelBuilder.h"
#include "ContractSizes.h"

namespace gensyn::gpu {

/// The step from one point to the next in A or B, in elements; nothing where
/// there is no such number, or where a point has to be known to tell what is
/// read.
std::optional<int64_t> constantPointStride(const codegen::GemmView &view,
                                           codegen::GemmTensor tensor);

/// True if a tile of points may reach over the end of a block of the order.
bool hasRaggedTiles(const codegen::GemmView &view, const ContractSizes &sizes);

class PointTable {
public:
  using Values = KernelBuilder::Values;

  PointTable(const codegen::GemmView &view, const ContractSizes &sizes,
             codegen::GemmTensor tensor);

  /// 32-bit words of an entry; 0: no table is needed.
  int64_t words() const { return numWords; }
  /// Of a tile of points.
  int64_t bytes() const { return 4 * numWords * sizes.bk; }

  /// Encodes the tests of a row whose axes have these `values` and whose parts
  /// of the checked indices are `parts`, including those of the batch and the
  /// offsets. `valid` is true if the row exists (null: it does).
  Values codeRow(KernelBuilder &k, llvm::ArrayRef<mlir::Value> values,
                 llvm::ArrayRef<mlir::Value> parts, mlir::Value valid) const;
  /// The entry of point `number`, which may be beyond the end. `batchParts`
  /// and `skipParts` are what batch and offset add to checked and to skipping
  /// indices; `end` is where the block of the order ends, null where nothing
  /// is ragged.
  Values codePoint(KernelBuilder &k, mlir::Value number, mlir::Value end,
                   llvm::ArrayRef<mlir::Value> batchParts,
                   llvm::ArrayRef<mlir::Value> skipParts) const;
  /// True if the element of a coded row and an entry is there; null: always.
  mlir::Value test(KernelBuilder &k, llvm::ArrayRef<mlir::Value> row,
                   llvm::ArrayRef<mlir::Value> entry) const;

private:
  enum class Kind { Offsets, Bits, Parts };
  /// The values of one side's part of a checked index, from bit `first` on.
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
  bool isB, isRagged;
  const codegen::GemmAxes &rows;
  llvm::ArrayRef<codegen::GemmCheck> checks;
  Kind kind = Kind::Offsets;
  int64_t numWords = 0;
  bool tapsInRows = false; ///< else in points
  llvm::SmallVector<Taps> taps;
};

} // namespace gensyn::gpu

#endif
