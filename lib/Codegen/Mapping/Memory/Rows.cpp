// The bytes of tiles and the rows that they consist of; see Cost.h.

#include "../Cost.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {

uint64_t bytesOf(Value tensor, ArrayRef<IndexRange> tile) {
  uint64_t bytes = byteWidth(*getElementType(typeOf(tensor).getElementType()));
  for (const IndexRange &range : tile)
    bytes *= uint64_t(range.size);
  return bytes;
}

int64_t Rows::count() const {
  int64_t rows = 1;
  for (int64_t count : counts)
    rows *= count;
  return rows;
}

Rows rowsOf(Value tensor, ArrayRef<IndexRange> tile) {
  Rows rows;
  rows.rowBytes =
      int64_t(byteWidth(*getElementType(typeOf(tensor).getElementType())));
  int64_t stride = rows.rowBytes;
  bool isAdjacent = true; // so far all indices of the inner dimensions
  for (auto [range, extent] :
       llvm::reverse(llvm::zip_equal(tile, shapeOf(tensor)))) {
    rows.offset += range.size == 0 ? 0 : range.begin * stride;
    if (isAdjacent && range.stride == 1) {
      rows.rowBytes *= range.size;
      isAdjacent = range.isWhole(extent);
    } else {
      isAdjacent = false;
      if (range.size != 1) {
        rows.counts.push_back(range.size);
        rows.strides.push_back(stride * range.stride);
      }
    }
    stride *= extent;
  }
  std::reverse(rows.counts.begin(), rows.counts.end());
  std::reverse(rows.strides.begin(), rows.strides.end());
  return rows;
}

SmallVector<Tile> getResultTiles(KernelOp kernel, ArrayRef<IndexRange> piece) {
  const SmallVector<int64_t> extents = getSplitExtents(kernel);
  return llvm::map_to_vector(kernel.getResults(), [&](Value result) {
    Tile tile = llvm::map_to_vector(shapeOf(result), IndexRange::whole);
    for (auto [dimension, range] : llvm::enumerate(piece))
      if (!range.isWhole(extents[dimension]))
        tile[dimension] = range;
    return tile;
  });
}

} // namespace gensyn::mapping
