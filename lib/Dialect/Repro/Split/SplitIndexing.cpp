// Pieces of gather and scatter.

#include "gensyn/Dialect/Repro/IR/IndexMap.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

static AffineMap toMap(const IndexMap &map, unsigned iterators,
                       unsigned symbols, MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (const IndexExpr &index : map) {
    AffineExpr expr = getAffineConstantExpr(index.constant, context);
    for (auto [i, coefficient] : llvm::enumerate(index.coefficients))
      expr = expr + getAffineDimExpr(unsigned(i), context) * coefficient;
    if (index.symbol)
      expr = expr + getAffineSymbolExpr(*index.symbol, context);
    exprs.push_back(expr);
  }
  return AffineMap::get(iterators, symbols, exprs, context);
}

/// The tile of an index operand, whose map is a projected permutation.
static Tile tileOfIndices(AffineMap map, ArrayRef<IndexRange> iterators) {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
    return iterators[cast<AffineDimExpr>(expr).getPosition()];
  });
}

/// Moves a map to a part of its iterators, and to the tile of a tensor of this
/// shape that it reaches there, which is returned: the whole along an index
/// that is data.
static Tile moveMap(IndexMap &map, ArrayRef<IndexRange> iterators,
                    ArrayRef<int64_t> shape) {
  SmallVector<int64_t> extents;
  for (const IndexRange &range : iterators)
    extents.push_back(range.size);
  Tile tile;
  for (auto [index, extent] : llvm::zip_equal(map, shape)) {
    for (auto [coefficient, range] :
         llvm::zip_equal(index.coefficients, iterators))
      index.constant += coefficient * range.begin;
    IndexRange &range = tile.emplace_back(IndexRange::whole(extent));
    if (index.symbol || llvm::is_contained(extents, 0))
      continue;
    const auto [low, high] = *index.range(extents);
    const int64_t begin = std::clamp<int64_t>(low, 0, extent);
    range = {begin, std::clamp<int64_t>(high + 1, begin, extent) - begin};
    index.constant -= begin;
  }
  return tile;
}

SmallVector<Tile> GatherOp::getOperandTiles(ArrayRef<IndexRange> piece) {
  IndexMap map = *readIndexMap(getMap(0));
  SmallVector<Tile> tiles = {moveMap(map, piece, shapeOf(getData()))};
  for (unsigned number = 1; number < getMaps().size(); ++number)
    tiles.push_back(tileOfIndices(getMap(number), piece));
  return tiles;
}

SmallVector<Value> GatherOp::buildPiece(OpBuilder &builder, ValueRange tiles,
                                        ArrayRef<IndexRange> piece) {
  IndexMap map = *readIndexMap(getMap(0));
  moveMap(map, piece, shapeOf(getData()));
  SmallVector<AffineMap> maps(getMaps().getAsValueRange<AffineMapAttr>());
  maps[0] =
      toMap(map, maps[0].getNumDims(), maps[0].getNumSymbols(), getContext());
  SmallVector<int64_t> shape;
  for (const IndexRange &range : piece)
    shape.push_back(range.size);
  return {GatherOp::create(builder, getLoc(), typeOf(getResult()).clone(shape),
                           tiles[0], tiles.drop_front(),
                           builder.getAffineMapArrayAttr(maps), getBounds())
              .getResult()};
}

/// The updates that reach a piece of a scatter.
static Tile updatesOf(ScatterOp op, ArrayRef<IndexRange> piece) {
  Tile updates =
      llvm::map_to_vector(shapeOf(op.getUpdates()), IndexRange::whole);
  for (auto [iterator, dim] : getScatterColumns(op)) {
    const int64_t extent = updates[iterator].size;
    const IndexRange &range = piece[dim];
    const int64_t begin = std::min(range.begin, extent);
    updates[iterator] = {begin,
                         std::min(range.begin + range.size, extent) - begin};
  }
  return updates;
}

// Updates of one element stay together and in their order (scatter_r1,
// scatter_r2): a piece gets those of its columns, and drops what belongs to
// other pieces (scatter_r4).
SmallVector<Split> ScatterOp::getSplits() {
  return SmallVector<Split>(shapeOf(getResult()).size(), Split::free());
}

SmallVector<Tile> ScatterOp::getOperandTiles(ArrayRef<IndexRange> piece) {
  const Tile updates = updatesOf(*this, piece);
  SmallVector<Tile> tiles = {Tile(piece), updates};
  for (unsigned number = 1; number < getMaps().size(); ++number)
    tiles.push_back(tileOfIndices(getMap(number), updates));
  return tiles;
}

// A column's index is its iterator, in the piece as in the whole. Other indices
// may contain it, too.
SmallVector<int64_t> ScatterOp::getFaultExtents() {
  return llvm::to_vector(shapeOf(getUpdates()));
}

Tile ScatterOp::getFaultTile(ArrayRef<IndexRange> piece) {
  return updatesOf(*this, piece);
}

SmallVector<Value> ScatterOp::buildPiece(OpBuilder &builder, ValueRange tiles,
                                         ArrayRef<IndexRange> piece) {
  const Tile updates = updatesOf(*this, piece);
  IndexMap map = *readIndexMap(getMap(0));
  for (auto [dim, index] : llvm::enumerate(map)) {
    for (auto [coefficient, range] :
         llvm::zip_equal(index.coefficients, updates))
      index.constant += coefficient * range.begin;
    index.constant -= piece[dim].begin;
  }
  // Updates of other columns are not read, so nothing lies beside a column.
  SmallVector<int64_t> valid;
  for (auto [dim, range] : llvm::enumerate(piece)) {
    const auto [begin, end] = getValid(unsigned(dim));
    valid.append({begin - range.begin, end - range.begin});
  }
  DenseI64ArrayAttr within;
  const bool isWhole = llvm::equal(
      piece, llvm::map_range(shapeOf(getResult()), IndexRange::whole));
  if (mayFault() && (getWithin() || !isWhole))
    within = builder.getDenseI64ArrayAttr(valid);
  SmallVector<AffineMap> maps(getMaps().getAsValueRange<AffineMapAttr>());
  maps[0] =
      toMap(map, maps[0].getNumDims(), maps[0].getNumSymbols(), getContext());
  return {ScatterOp::create(builder, getLoc(), tiles[0].getType(), getKind(),
                            tiles[0], tiles[1], tiles.drop_front(2),
                            builder.getAffineMapArrayAttr(maps), getBounds(),
                            within)
              .getResult()};
}
