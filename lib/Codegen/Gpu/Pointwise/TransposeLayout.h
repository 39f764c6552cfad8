// Finds operands of a pointwise kernel that lie across its results, and in what
// tiles they are turned.

#ifndef GENSYN_LIB_CODEGEN_GPU_TRANSPOSELAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_TRANSPOSELAYOUT_H

#include "../Common/PointwiseCode.h"
#include "TransposeReads.h"

#include <optional>
#include <vector>

namespace gensyn::gpu {

/// A read that goes through shared memory: place = constant + y + x digits +
/// rest digits, see TransposePart.
struct StagedRead {
  TransposeRead read;
  /// Of x, and of the rest.
  llvm::SmallVector<TransposeDigit> x, rest;
  int64_t bytes = 4;  ///< of an element in memory
  int64_t pack = 1;   ///< elements of neighbouring x in a word of shared memory
  int64_t vector = 1; ///< elements of neighbouring y in a global access
  int64_t pitch = 0;  ///< words from one row of words to the next
  int64_t offset = 0; ///< of its tile in the block's shared memory, in bytes

  int64_t wordBytes() const { return bytes * pack; }
};

/// Results that are computed together. Tiled ones have elements with the
/// number (rest * extentY + y) * spanX + x, and y is where staged operands are
/// contiguous; a block has tileX by tileY of them. Others are computed as
/// pointwise kernels are.
struct TransposePart {
  llvm::SmallVector<unsigned> results;
  PointwiseShape shape;
  int64_t spanX = 0, extentY = 0, rest = 1;
  int64_t tileX = 0, tileY = 0;
  int64_t warpSize = 32; ///< the target's
  int64_t width = 1;     ///< elements of neighbouring x that a thread computes
  std::vector<StagedRead> staged;

  bool isTiled() const { return !staged.empty(); }
  int64_t tilesX() const { return llvm::divideCeil(spanX, tileX); }
  int64_t tilesY() const { return llvm::divideCeil(extentY, tileY); }
  int64_t blocks() const {
    return isTiled() ? tilesX() * tilesY() * rest
                     : shape.blocksFor(shape.elements);
  }
  /// Behind the tile of a staged operand in the block's shared memory.
  int64_t sharedEnd(const StagedRead &read) const;
};

/// Parts side by side: each has blocks of its own.
struct TransposeLayout {
  std::vector<TransposePart> parts; ///< tiled ones first
  int64_t threads = 128;

  int64_t blocks() const;
  int64_t sharedBytes() const;
};

/// Nothing where no operand of the kernel is better staged. The kernel's
/// schedule attribute may state `tile_x`, `tile_y` and `threads`, powers of
/// two; nothing either where a tile of these does not fit.
std::optional<TransposeLayout> layOutTranspose(repro::KernelOp kernel,
                                               const Target &target);

/// Assignment of a grid of `fast` by `rows` pieces to threads, all powers of
/// two: a warp has `fastLanes` adjacent pieces of a row, and advances by whole
/// steps.
struct TransposeDeal {
  int64_t fastLanes = 1, rowLanes = 1; ///< of a warp
  int64_t fastWarps = 1, rowWarps = 1; ///< of a block
  int64_t fastTurns = 1, rowTurns = 1; ///< of a thread
  int64_t fastStep() const { return fastLanes * fastWarps; }
  int64_t rowStep() const { return rowLanes * rowWarps; }
};
/// The assignment of a tile to threads, when reading and when computing.
TransposeDeal dealReads(const TransposePart &part, const StagedRead &staged,
                        int64_t threads);
TransposeDeal dealResults(const TransposePart &part, int64_t threads);

} // namespace gensyn::gpu

#endif
