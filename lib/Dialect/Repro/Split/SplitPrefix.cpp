// Pieces of scans and sorts.

#include "SplitOrder.h"
#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

SmallVector<Split> ScanOp::getSplits() {
  const auto dim = size_t(getDim());
  SmallVector<Split> splits(shapeOf(getResult()).size(), Split::free());
  splits[dim] =
      needsOrder() && !getOrderAttr()
          ? Split::none()
          : getSplitsOfPoints(shapeOf(getResult())[dim], getOrderAttr())
                .front();
  return splits;
}

SmallVector<Tile> ScanOp::getOperandTiles(ArrayRef<IndexRange> piece) {
  return {Tile(piece)};
}

SmallVector<Value> ScanOp::buildPiece(OpBuilder &builder, ValueRange tiles,
                                      ArrayRef<IndexRange> piece) {
  bool fits = true;
  const auto dim = size_t(getDim());
  OrderAttr order = getOrderOfPiece(shapeOf(getResult())[dim], piece[dim],
                                    getOrderAttr(), fits);
  if (!fits)
    return {};
  return {ScanOp::create(builder, getLoc(), tiles[0].getType(), getKind(),
                         tiles[0], getDim(), order)
              .getResult()};
}

static Value combine(OpBuilder &builder, Location location, ReduceKind kind,
                     Value lhs, Value rhs) {
  switch (kind) {
  case ReduceKind::Sum:
    return AddOp::create(builder, location, lhs, rhs);
  case ReduceKind::Product:
    return MulOp::create(builder, location, lhs, rhs);
  case ReduceKind::Max:
    return MaxOp::create(builder, location, lhs, rhs);
  case ReduceKind::Min:
    return MinOp::create(builder, location, lhs, rhs);
  case ReduceKind::And:
  case ReduceKind::Or:
    break;
  }
  llvm_unreachable("scan_c1");
}

/// The last elements of `value` along a dimension, in each place of `type`.
static Value repeatLast(OpBuilder &builder, Value value, unsigned dimension,
                        RankedTensorType type) {
  const Location location = value.getLoc();
  Tile last = llvm::map_to_vector(shapeOf(value), IndexRange::whole);
  last[dimension] = {shapeOf(value)[dimension] - 1, 1};
  SmallVector<int64_t> shape(shapeOf(value)), dims;
  shape.erase(shape.begin() + dimension);
  for (unsigned dim = 0; dim < last.size(); ++dim)
    if (dim != dimension)
      dims.push_back(dim);
  return createBroadcast(
      builder, location,
      createReshape(builder, location,
                    buildTile(builder, location, value, last), shape),
      type, dims);
}

/// The prefixes of each piece are joined to the last result before them
/// (scan_r1).
Value ScanOp::buildJoin(OpBuilder &builder, unsigned dimension,
                        ValueRange pieces) {
  SmallVector<Value> results;
  for (Value prefixes : pieces) {
    if (shapeOf(prefixes)[dimension] == 0)
      continue;
    if (!results.empty())
      prefixes = combine(
          builder, getLoc(), getKind(),
          repeatLast(builder, results.back(), dimension, typeOf(prefixes)),
          prefixes);
    results.push_back(prefixes);
  }
  return ConcatOp::create(builder, getLoc(), results, uint64_t(dimension));
}

// The elements along the dimension are compared with each other.
SmallVector<Split> SortOp::getSplits() {
  SmallVector<Split> splits(shapeOf(getValues()).size(), Split::free());
  splits[size_t(getDim())] = Split::none();
  return splits;
}

SmallVector<Tile> SortOp::getOperandTiles(ArrayRef<IndexRange> piece) {
  Tile tile(piece);
  const auto dim = size_t(getDim());
  tile[dim] = IndexRange::whole(shapeOf(getOperand())[dim]);
  return {tile};
}

SmallVector<Value> SortOp::buildPiece(OpBuilder &builder, ValueRange tiles,
                                      ArrayRef<IndexRange> piece) {
  SmallVector<int64_t> shape;
  for (const IndexRange &range : piece)
    shape.push_back(range.size);
  auto sort =
      SortOp::create(builder, getLoc(), typeOf(getValues()).clone(shape),
                     typeOf(getPositions()).clone(shape), getDirection(),
                     tiles[0], getDim(), getCount());
  return SmallVector<Value>(sort->getResults());
}
