// A contraction of a ContractedRows kernel as the product of one tile of rows.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACTEDROWS_TILEPRODUCT_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACTEDROWS_TILEPRODUCT_H

#include "../Contract/Gemm.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

namespace gensyn::cpu {

using repro::RowContraction;

/// The product of a tile. The Full tensor is a slot of scratch, with the tile's
/// rows `slotStride` apart; B is copied into panels once for all tiles of a
/// group. Source: C is the slot. AlongRows: A is the slot. AcrossRows: A is the
/// slot, transposed, and points of all tiles form the chains.
struct TileProduct {
  RowContraction contraction;
  GemmView view;
  GemmSizes sizes;
  /// Operands of the contraction that are A and B.
  unsigned a = 0, b = 1;
  /// The extents of the groups' numbers, and their strides in A, B and C.
  llvm::SmallVector<int64_t> groupExtents;
  llvm::SmallVector<std::array<int64_t, 3>> groupStrides;
  /// Elements between two rows of a group in A (Source) or C (AlongRows).
  int64_t rowStride = 0;

  RowContraction::Role role() const { return contraction.role; }
};

/// The product of tiles of `tileRows` rows. A product of other sizes with the
/// same panels takes the sizes `like`.
TileProduct viewInTile(const RowContraction &contraction, int64_t tileRows,
                       int64_t slotStride, const GemmMachine &machine,
                       const GemmSizes *like = nullptr);

} // namespace gensyn::cpu

#endif
