// Pieces of movement ops and of draws: every dimension of the result is free.

#include "gensyn/Dialect/Repro/IR/ReshapeGroups.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

#define TILES(Op)                                                              \
  SmallVector<Tile> Op::getOperandTiles(ArrayRef<IndexRange> piece)
#define PIECE(Op)                                                              \
  SmallVector<Value> Op::buildPiece(OpBuilder &builder, ValueRange tiles,      \
                                    ArrayRef<IndexRange> piece)

static SmallVector<int64_t> sizesOf(ArrayRef<IndexRange> piece) {
  return llvm::map_to_vector(
      piece, [](const IndexRange &range) { return range.size; });
}

static RankedTensorType typeOfPiece(Value result, ArrayRef<IndexRange> piece) {
  return typeOf(result).clone(sizesOf(piece));
}

static Tile wholeOf(Value value) {
  return llvm::map_to_vector(shapeOf(value), IndexRange::whole);
}

/// The piece of an op that is built whole: it has no operands, or small ones.
static SmallVector<Value> sliceWhole(OpBuilder &builder, Operation *op,
                                     ValueRange operands,
                                     ArrayRef<IndexRange> piece) {
  Operation *whole = builder.clone(*op);
  whole->setOperands(operands);
  return {buildTile(builder, op->getLoc(), whole->getResult(0), piece)};
}

static SmallVector<Tile> wholeOperands(Operation *op) {
  return llvm::map_to_vector(op->getOperands(), wholeOf);
}

TILES(ConstantOp) { return {}; }

PIECE(ConstantOp) {
  auto splat = dyn_cast<SplatElementsAttr>(getValue());
  if (!splat)
    return sliceWhole(builder, *this, tiles, piece);
  return {ConstantOp::create(builder, getLoc(),
                             splat.resizeSplat(typeOfPiece(getResult(), piece)))
              .getResult()};
}

TILES(IotaOp) { return {}; }

PIECE(IotaOp) {
  const auto type = typeOfPiece(getResult(), piece);
  const int64_t begin = piece[size_t(getDim())].begin;
  Value indices = IotaOp::create(builder, getLoc(), type, getDim());
  if (begin == 0)
    return {indices};
  // Both wrap (g6).
  auto element = cast<IntegerType>(type.getElementType());
  auto first = DenseElementsAttr::get(
      type, APInt(64, uint64_t(begin)).trunc(element.getWidth()));
  return {AddOp::create(builder, getLoc(), indices,
                        ConstantOp::create(builder, getLoc(), first))
              .getResult()};
}

TILES(RandomBitsOp) { return wholeOperands(*this); }
// A word's counter is its number in the whole draw (random_r1).
PIECE(RandomBitsOp) { return sliceWhole(builder, *this, tiles, piece); }

TILES(TransposeOp) {
  Tile tile(piece.size());
  for (auto [range, dim] : llvm::zip_equal(piece, getPermutation()))
    tile[size_t(dim)] = range;
  return {tile};
}

PIECE(TransposeOp) {
  return {TransposeOp::create(builder, getLoc(),
                              typeOfPiece(getResult(), piece), tiles[0],
                              getPermutation())
              .getResult()};
}

TILES(BroadcastOp) {
  return {llvm::map_to_vector(getDims(),
                              [&](int64_t dim) { return piece[size_t(dim)]; })};
}

PIECE(BroadcastOp) {
  return {BroadcastOp::create(builder, getLoc(),
                              typeOfPiece(getResult(), piece), tiles[0],
                              getDims())
              .getResult()};
}

TILES(SliceOp) {
  Tile tile;
  for (auto [range, start, stride] :
       llvm::zip_equal(piece, getStart(), getStride()))
    tile.push_back({start + range.begin * stride, range.size, stride});
  return {tile};
}

PIECE(SliceOp) { return {tiles[0]}; }

TILES(ReverseOp) {
  Tile tile(piece);
  for (int64_t dim : getDims()) {
    IndexRange &range = tile[size_t(dim)];
    range.begin = shapeOf(getOperand())[size_t(dim)] - range.begin - range.size;
  }
  return {tile};
}

PIECE(ReverseOp) {
  return {
      ReverseOp::create(builder, getLoc(), tiles[0], getDims()).getResult()};
}

/// A dimension of a piece of a pad.
namespace {
struct PaddedRange {
  IndexRange operand;
  int64_t low, high;

  PaddedRange(const IndexRange &range, int64_t extent, int64_t before,
              int64_t interior) {
    const int64_t step = interior + 1, end = range.begin + range.size;
    // Element i is at `before + i * step`.
    const int64_t first = std::clamp<int64_t>(
        llvm::divideCeilSigned(range.begin - before, step), 0, extent);
    const int64_t last = std::clamp<int64_t>(
        llvm::divideCeilSigned(end - before, step), first, extent);
    operand = {first, last - first};
    low = high = 0;
    if (operand.size == 0) {
      operand.begin = 0;
      low = range.size;
      return;
    }
    low = before + first * step - range.begin;
    high = end - (before + (last - 1) * step + 1);
  }
};
} // namespace

static SmallVector<PaddedRange> paddedRanges(PadOp pad,
                                             ArrayRef<IndexRange> piece) {
  SmallVector<PaddedRange> ranges;
  for (auto [range, extent, low, interior] : llvm::zip_equal(
           piece, shapeOf(pad.getOperand()), pad.getLow(), pad.getInterior()))
    ranges.emplace_back(range, extent, low, interior);
  return ranges;
}

TILES(PadOp) {
  return {llvm::map_to_vector(
              paddedRanges(*this, piece),
              [](const PaddedRange &range) { return range.operand; }),
          Tile()};
}

PIECE(PadOp) {
  SmallVector<int64_t> low, high;
  for (const PaddedRange &range : paddedRanges(*this, piece)) {
    low.push_back(range.low);
    high.push_back(range.high);
  }
  return {PadOp::create(builder, getLoc(), typeOfPiece(getResult(), piece),
                        tiles[0], tiles[1], low, high, getInterior())
              .getResult()};
}

TILES(ConcatOp) {
  SmallVector<Tile> tiles;
  int64_t offset = 0;
  const auto dim = size_t(getDim());
  for (Value operand : getOperands()) {
    Tile tile(piece);
    const int64_t extent = shapeOf(operand)[dim];
    const IndexRange &range = piece[dim];
    const int64_t begin = std::clamp<int64_t>(range.begin - offset, 0, extent);
    const int64_t end =
        std::clamp<int64_t>(range.begin + range.size - offset, begin, extent);
    tile[dim] = {begin, end - begin};
    tiles.push_back(tile);
    offset += extent;
  }
  return tiles;
}

PIECE(ConcatOp) {
  SmallVector<Value> present;
  for (Value tile : tiles)
    if (shapeOf(tile)[size_t(getDim())] > 0)
      present.push_back(tile);
  if (present.empty())
    present.push_back(tiles[0]);
  return {ConcatOp::create(builder, getLoc(), present, getDim()).getResult()};
}

namespace {
/// Dimensions of a reshape that belong together. A piece takes the rows of the
/// operand that contain its rows of the result, which follow each other. Rows
/// run along the first dimension of which there is more than one index; of
/// those before it there is one each.
struct ReshapedRows {
  size_t from, first;              ///< the group's first dimensions
  size_t to;                       ///< the dimension of the result's rows
  IndexRange result;               ///< rows
  SmallVector<IndexRange> operand; ///< dimensions of the group up to the rows'
  int64_t begin = 0;    ///< of the result's elements in the operand's
  int64_t elements = 0; ///< of the operand's rows
  int64_t size = 0;     ///< elements of the result's rows

  ReshapedRows(ReshapeGroup group, ArrayRef<int64_t> fromShape,
               ArrayRef<int64_t> toShape, ArrayRef<IndexRange> piece)
      : from(group.from), first(group.to), to(group.to) {
    // Elements from here on are counted from the group's first one.
    int64_t start = 0;
    int64_t row =
        llvm::product_of(toShape.slice(group.to, group.toEnd - group.to));
    for (;; ++to) {
      row /= toShape[to];
      start += piece[to].begin * row;
      if (to + 1 == group.toEnd || piece[to].size != 1)
        break;
    }
    result = piece[to];
    size = result.size * row;
    int64_t origin = 0; // of the operand's rows
    row = llvm::product_of(
        fromShape.slice(group.from, group.fromEnd - group.from));
    for (size_t dim = from; dim < group.fromEnd; ++dim) {
      row /= fromShape[dim];
      const int64_t index = (start - origin) / row,
                    end = llvm::divideCeilSigned(start + size - origin, row);
      operand.push_back({index, end - index});
      origin += index * row;
      if (end - index != 1)
        break;
    }
    begin = start - origin;
    elements = operand.back().size * row;
  }
};

bool isEmpty(ArrayRef<IndexRange> piece) {
  return llvm::any_of(piece,
                      [](const IndexRange &range) { return range.size == 0; });
}

/// The groups of a piece of a reshape; none if it has no elements.
SmallVector<ReshapedRows> rowsOf(ReshapeOp op, ArrayRef<IndexRange> piece) {
  ArrayRef<int64_t> from = shapeOf(op.getOperand()),
                    to = shapeOf(op.getResult());
  SmallVector<ReshapedRows> rows;
  if (llvm::is_contained(from, 0) || isEmpty(piece))
    return rows;
  for (const ReshapeGroup &group :
       getReshapeGroups(from, to, UnitExtents::Skip))
    rows.emplace_back(group, from, to, piece);
  return rows;
}
} // namespace

TILES(ReshapeOp) {
  Tile tile = wholeOf(getOperand());
  // As of the new rows of a concatenation in a piece that has old ones only.
  if (isEmpty(piece))
    tile.assign(tile.size(), IndexRange());
  for (const ReshapedRows &rows : rowsOf(*this, piece))
    llvm::copy(rows.operand, tile.begin() + rows.from);
  return {tile};
}

PIECE(ReshapeOp) {
  const SmallVector<ReshapedRows> groups = rowsOf(*this, piece);
  // An operand without dimensions cannot be empty.
  if (groups.empty() && isEmpty(piece) && !shapeOf(tiles[0]).empty())
    return {createReshape(builder, getLoc(), tiles[0], sizesOf(piece))};
  if (groups.empty())
    return sliceWhole(builder, *this, tiles, piece);
  // The rows of each group as one dimension, cut to those of the result.
  SmallVector<int64_t> flat;
  Tile cut;
  SmallVector<int64_t> shape(shapeOf(getResult()));
  Tile rest = wholeOf(getResult());
  for (auto [range, part] : llvm::zip_equal(rest, piece))
    range = part;
  for (const ReshapedRows &rows : groups) {
    flat.push_back(rows.elements);
    cut.push_back({rows.begin, rows.size});
    for (size_t dim = rows.first; dim < rows.to; ++dim) {
      shape[dim] = 1;
      rest[dim] = IndexRange::whole(1);
    }
    shape[rows.to] = rows.result.size;
    rest[rows.to] = IndexRange::whole(rows.result.size);
  }
  Value value = createReshape(builder, getLoc(), tiles[0], flat);
  value = buildTile(builder, getLoc(), value, cut);
  value = createReshape(builder, getLoc(), value, shape);
  return {buildTile(builder, getLoc(), value, rest)};
}
