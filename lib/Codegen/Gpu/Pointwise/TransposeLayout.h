// Finds operands of a pointwise kernel that are transposed with respect to its
// results, and chooses the tiles in which they are staged.

#ifndef GENSYN_LIB_CODEGEN_GPU_TRANSPOSELAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_TRANSPOSELAYOUT_H

#include "../Common/PointwiseCode.h"
#include "TransposeReads.h"

#include <optional>
#include <vector>

namespace gensyn::gpu {

/// A read through shared memory, at constant + y + digits of x + digits of
/// rest; see TransposePart.
struct StagedRead {
  TransposeRead read;
  /// The digits of x, and those of rest.
  llvm::SmallVector<TransposeDigit> x, rest;
  int64_t bytes = 4;  ///< per element in memory
  int64_t pack = 1;   ///< elements of adjacent x in a word of shared memory
  int64_t vector = 1; ///< elements of adjacent y in a global access
  int64_t pitch = 0;  ///< words between rows of words
  int64_t offset = 0; ///< of its tile in shared memory, in bytes

  int64_t wordBytes() const { return bytes * pack; }
};

/// Results that are computed together. In a tiled part the linear index of an
/// element is (rest * extentY + y) * spanX + x, where staged operands are
/// contiguous along y; a block computes tileX by tileY elements. Other parts
/// are computed like pointwise kernels.
struct TransposePart {
  llvm::SmallVector<unsigned> results;
  PointwiseShape shape;
  int64_t spanX = 0, extentY = 0, rest = 1;
  int64_t tileX = 0, tileY = 0;
  int64_t warpSize = 32; ///< the target's
  int64_t width = 1;     ///< elements of adjacent x that a thread computes
  std::vector<StagedRead> staged;

  bool isTiled() const { return !staged.empty(); }
  int64_t tilesX() const { return llvm::divideCeil(spanX, tileX); }
  int64_t tilesY() const { return llvm::divideCeil(extentY, tileY); }
  int64_t blocks() const {
    return isTiled() ? tilesX() * tilesY() * rest
                     : shape.blocksFor(shape.elements);
  }
  /// Returns the end of a staged operand's tile in the block's shared memory.
  int64_t sharedEnd(const StagedRead &read) const;
};

/// The parts of a kernel; each has its own blocks.
struct TransposeLayout {
  std::vector<TransposePart> parts; ///< tiled ones first
  int64_t threads = 128;

  int64_t blocks() const;
  int64_t sharedBytes() const;
};

/// Returns the layout of a kernel. The kernel's schedule attribute may have
/// `tile_x`, `tile_y` and `threads`, powers of two. Returns std::nullopt if
/// staging would not improve any operand, or if the given tile does not fit.
std::optional<TransposeLayout> layOutTranspose(repro::KernelOp kernel,
                                               const Target &target);

/// Assignment of a grid of `fast` by `rows` pieces to threads, all powers of
/// two: a warp has `fastLanes` adjacent pieces of a row, and advances by whole
/// steps.
struct TransposeDeal {
  int64_t fastLanes = 1, rowLanes = 1; ///< per warp
  int64_t fastWarps = 1, rowWarps = 1; ///< per block
  int64_t fastTurns = 1, rowTurns = 1; ///< per thread
  int64_t fastStep() const { return fastLanes * fastWarps; }
  int64_t rowStep() const { return rowLanes * rowWarps; }
};
/// Return the assignment of a tile to threads for reads, and for results.
TransposeDeal dealReads(const TransposePart &part, const StagedRead &staged,
                        int64_t threads);
TransposeDeal dealResults(const TransposePart &part, int64_t threads);

} // namespace gensyn::gpu

#endif
