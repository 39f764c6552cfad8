// The division of a box into tiles, and the layout of a tile in scratch.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_BATCHLAYOUT_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_BATCHLAYOUT_H

#include "BatchSizes.h"

namespace gensyn::cpu {

/// Method of copying between memory and vectors of lanes in scratch.
enum class LaneCopy {
  Adjacent,   ///< the lanes of an element are a vector in memory
  Transposed, ///< consecutive elements of a lane are a vector in memory
  Single      ///< one lane of an element after another
};

/// An index of a tensor in a tile, or several that count through one
/// contiguous piece of memory.
struct BatchDim {
  int64_t extent = 1;    ///< of the tensor
  int64_t stride = 1;    ///< in memory, in elements
  int64_t low = 0;       ///< index of coordinate 0 in a tile at iterators 0
  int64_t step = 1;      ///< of the index, per coordinate
  int64_t size = 1;      ///< coordinates in scratch
  bool mayLeave = false; ///< be out of bounds
  llvm::SmallVector<int64_t>
      starts; ///< per iterator: of the tile's first value
};

/// An operand in scratch: a vector of lanes for each tuple of coordinates, in
/// row-major order. An index out of bounds has zeros.
struct BatchOperand {
  llvm::SmallVector<BatchDim> dims;
  llvm::SmallVector<int64_t> strides; ///< per iterator, in vectors
  int64_t origin = 0;                 ///< of iterators 0, in vectors
  int64_t vectors = 1;
  LaneCopy copy = LaneCopy::Single; ///< along the last dimension if transposed
  int64_t offset = 0;               ///< in scratch, in sums
};

/// A loop over results that are copied from scratch.
struct BatchResultAxis {
  unsigned iterator; ///< whose values in the tile bound the loop
  int64_t inner;     ///< number of results per value of the iterator
  int64_t stride;    ///< in memory, in elements
};

struct BatchLayout {
  BatchLayout(const ContractBox &box, const BatchSizes &sizes);

  /// Returns the extent rounded up to whole register tiles.
  int64_t rounded(unsigned iterator) const { return roundedBlocks[iterator]; }
  bool isTiled(unsigned iterator) const {
    return roundedBlocks[iterator] > 1 && !isPoint(iterator);
  }
  bool isPoint(unsigned iterator) const { return box.isReduced[iterator]; }
  int64_t blocksOf(unsigned iterator) const;
  /// The number of the point iterators that are divided into visits.
  int64_t rows() const;

  const ContractBox &box;
  const BatchSizes &sizes;
  llvm::SmallVector<unsigned> parallel; ///< iterators without lanes and points
  llvm::SmallVector<unsigned> points;
  llvm::SmallVector<int64_t> roundedBlocks;

  int64_t laneCount = 1, laneBlocks = 1, tiles = 1;
  /// The position in `points` of the iterator that visits divide: those before
  /// have one value in a visit, those after all. Zero if there are no points.
  unsigned split = 0;
  int64_t chunk = 1; ///< points per value of that iterator
  bool isOneVisit = true;

  BatchOperand operands[2];
  llvm::SmallVector<int64_t> resultStrides; ///< per iterator, in vectors
  int64_t resultVectors = 1;
  llvm::SmallVector<BatchResultAxis> resultAxes; ///< outermost first
  LaneCopy resultCopy = LaneCopy::Single;

  // Offsets in scratch, in sums. The tables of lanes' offsets come first.
  int64_t startsOffset, partialOffset, sumOffset, scratchBytes;

private:
  void layOut(unsigned operand);
  void layOutResult();
  LaneCopy copyOf(const LinearIndices &indices, int64_t run) const;
};

} // namespace gensyn::cpu

#endif
