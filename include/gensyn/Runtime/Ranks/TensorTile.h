// A box of the elements of a tensor.
#ifndef GENSYN_RUNTIME_RANKS_TENSORTILE_H
#define GENSYN_RUNTIME_RANKS_TENSORTILE_H

#include "gensyn/Runtime/Ranks/TensorCuts.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gensyn::runtime {

/// The elements of a tensor whose indices are in a range of each dimension.
class TensorTile {
public:
  /// All elements of a tensor of this shape.
  explicit TensorTile(std::vector<int64_t> shape);
  /// Throws a Failure (bad input) if a range is not within the shape.
  TensorTile(std::vector<int64_t> shape, std::vector<int64_t> begins,
             std::vector<int64_t> counts);

  /// The shape of the tile, and that of the tensor.
  const std::vector<int64_t> &counts() const { return sizes; }
  const std::vector<int64_t> &shape() const { return whole; }
  int64_t elements() const { return runs * runLength; }

  bool overlaps(const TensorTile &other) const;

  /// Adjacent elements: the numbers of the first one among those of the tensor
  /// and among those of the tile, in row-major order, and how many there are.
  struct Run {
    int64_t ofTensor, ofTile, count;
  };
  /// The runs of the tile in a range of the tensor's elements, in order. They
  /// are adjacent in the tile.
  std::vector<Run> runsIn(Range range) const;

private:
  int64_t beginOfRun(int64_t run) const;

  std::vector<int64_t> whole, starts, sizes;
  /// The tile is so many runs of adjacent elements, all of one length, along
  /// the first dimensions.
  size_t runDims = 0;
  int64_t runs = 1, runLength = 1;
};

} // namespace gensyn::runtime

#endif
