// See Tiles.h.

#include "Tiles.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::IndexRange;
using repro::Tile;

Tile train::wholeTile(Value value) {
  return llvm::map_to_vector(repro::shapeOf(value), IndexRange::whole);
}

bool train::isEmpty(ArrayRef<IndexRange> tile) {
  return llvm::any_of(tile,
                      [](const IndexRange &range) { return range.size == 0; });
}

Tile train::denseTile(ArrayRef<IndexRange> tile) {
  return llvm::map_to_vector(tile, [](const IndexRange &range) {
    return range.size == 0
               ? IndexRange()
               : IndexRange{range.begin, (range.size - 1) * range.stride + 1};
  });
}

Tile train::hullOf(ArrayRef<IndexRange> a, ArrayRef<IndexRange> b) {
  if (isEmpty(a) || isEmpty(b))
    return Tile(isEmpty(a) ? b : a);
  Tile hull;
  for (auto [left, right] : llvm::zip_equal(a, b)) {
    const int64_t begin = std::min(left.begin, right.begin);
    const int64_t end =
        std::max(left.begin + left.size, right.begin + right.size);
    hull.push_back({begin, end - begin});
  }
  return hull;
}

Tile train::intersect(ArrayRef<IndexRange> a, ArrayRef<IndexRange> b) {
  Tile common;
  for (auto [left, right] : llvm::zip_equal(a, b)) {
    const int64_t begin = std::max(left.begin, right.begin);
    const int64_t end =
        std::min(left.begin + left.size, right.begin + right.size);
    common.push_back(end > begin ? IndexRange{begin, end - begin}
                                 : IndexRange());
  }
  return common;
}

Tile train::relativeTo(ArrayRef<IndexRange> tile, ArrayRef<IndexRange> within) {
  Tile moved(tile);
  for (auto [range, origin] : llvm::zip_equal(moved, within))
    if (range.size > 0)
      range.begin -= origin.begin;
  return moved;
}

int64_t train::bytesOfTile(Type type, ArrayRef<IndexRange> tile) {
  return repro::bytesOf(cast<RankedTensorType>(type).clone(llvm::map_to_vector(
      tile, [](const IndexRange &range) { return range.size; })));
}

/// What a tile adds is what it has without what it has in common with those
/// before it.
int64_t train::bytesOfTiles(Type type, ArrayRef<Tile> tiles) {
  int64_t bytes = 0;
  for (auto [number, tile] : llvm::enumerate(tiles)) {
    SmallVector<Tile> common;
    for (const Tile &other : tiles.take_front(number))
      if (Tile both = intersect(tile, other); !isEmpty(both))
        common.push_back(std::move(both));
    bytes += bytesOfTile(type, tile) - bytesOfTiles(type, common);
  }
  return bytes;
}

SmallVector<int64_t> train::numbersOf(ArrayRef<IndexRange> tile) {
  SmallVector<int64_t> numbers;
  for (const IndexRange &range : tile)
    numbers.append({range.begin, range.size});
  return numbers;
}
