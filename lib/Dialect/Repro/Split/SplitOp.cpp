// See SplitOp.h.

#include "gensyn/Dialect/Repro/IR/SplitOp.h"

#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

bool repro::isSplittable(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() || isa<SplitOpInterface>(op);
}

SmallVector<int64_t> repro::getSplitExtents(Operation *op) {
  if (auto split = dyn_cast<SplitOpInterface>(op))
    return split.getSplitExtents();
  return llvm::to_vector(shapeOf(op->getResult(0)));
}

SmallVector<Split> repro::getSplits(Operation *op) {
  if (auto split = dyn_cast<SplitOpInterface>(op))
    return split.getSplits();
  return SmallVector<Split>(shapeOf(op->getResult(0)).size(), Split::free());
}

Tile repro::getWholePiece(Operation *op) {
  return llvm::map_to_vector(getSplitExtents(op), IndexRange::whole);
}

SmallVector<Tile> repro::getOperandTiles(Operation *op,
                                         ArrayRef<IndexRange> piece) {
  if (auto split = dyn_cast<SplitOpInterface>(op))
    return split.getOperandTiles(piece);
  return SmallVector<Tile>(op->getNumOperands(), Tile(piece));
}

/// Says of which op a piece's faults are, and where they lie in the whole.
static void setFaultTile(Operation *op, ArrayRef<IndexRange> piece,
                         ValueRange results) {
  auto fault = dyn_cast<FaultOpInterface>(op);
  if (!fault || !fault.mayFault() || results.empty())
    return;
  Operation *part = results.front().getDefiningOp();
  SmallVector<int64_t> numbers;
  for (auto [range, extent] :
       llvm::zip_equal(fault.getFaultTile(piece), fault.getFaultExtents()))
    numbers.append({range.begin, range.size, extent});
  part->setAttr(kFaultTileAttr,
                DenseI64ArrayAttr::get(op->getContext(), numbers));
  if (Attribute slot = op->getAttr(kFaultSlotAttr))
    part->setAttr(kFaultSlotAttr, slot);
}

SmallVector<Value> repro::buildPiece(OpBuilder &builder, Operation *op,
                                     ValueRange tiles,
                                     ArrayRef<IndexRange> piece) {
  if (auto split = dyn_cast<SplitOpInterface>(op)) {
    SmallVector<Value> results = split.buildPiece(builder, tiles, piece);
    setFaultTile(op, piece, results);
    return results;
  }
  SmallVector<int64_t> shape;
  for (const IndexRange &range : piece)
    shape.push_back(range.size);
  IRMapping mapping;
  mapping.map(op->getOperands(), tiles);
  Operation *part = builder.clone(*op, mapping);
  for (Value result : part->getResults())
    result.setType(typeOf(result).clone(shape));
  return SmallVector<Value>(part->getResults());
}

Value repro::buildTile(OpBuilder &builder, Location location, Value value,
                       ArrayRef<IndexRange> tile) {
  SmallVector<int64_t> shape, starts, limits, strides;
  for (const IndexRange &range : tile) {
    const IndexRange used = range.size == 0 ? IndexRange() : range;
    shape.push_back(used.size);
    starts.push_back(used.begin);
    strides.push_back(used.stride);
    limits.push_back(
        used.size == 0 ? 0 : used.begin + (used.size - 1) * used.stride + 1);
  }
  if (llvm::equal(tile, llvm::map_range(shapeOf(value), IndexRange::whole)))
    return value;
  return SliceOp::create(builder, location, typeOf(value).clone(shape), value,
                         starts, limits, strides);
}

SmallVector<Tile> repro::getPieces(Operation *op, unsigned dimension,
                                   ArrayRef<int64_t> cuts, int64_t parts) {
  const int64_t extent = getSplitExtents(op)[dimension];
  const Split split = getSplits(op)[dimension];
  SmallVector<IndexRange> ranges;
  switch (split.kind) {
  case Split::Kind::None:
    ranges.push_back(IndexRange::whole(extent));
    break;
  case Split::Kind::Blocks:
    for (int64_t begin = 0; begin < extent; begin += split.size)
      ranges.push_back({begin, std::min(split.size, extent - begin)});
    break;
  case Split::Kind::Lanes:
    for (int64_t part = 0; part < parts; ++part) {
      const int64_t begin = std::min(part, extent);
      ranges.push_back(
          {begin, llvm::divideCeilSigned(extent - begin, parts), parts});
    }
    break;
  case Split::Kind::Free:
  case Split::Kind::Any:
  case Split::Kind::Chain: {
    int64_t begin = 0;
    for (int64_t cut : cuts) {
      ranges.push_back({begin, cut - begin});
      begin = cut;
    }
    ranges.push_back({begin, extent - begin});
    break;
  }
  }
  return llvm::map_to_vector(ranges, [&](const IndexRange &range) {
    Tile piece = getWholePiece(op);
    piece[dimension] = range;
    return piece;
  });
}

SmallVector<Value> repro::buildSplit(OpBuilder &builder, Operation *op,
                                     unsigned dimension,
                                     ArrayRef<Tile> pieces) {
  const Location location = op->getLoc();
  SmallVector<SmallVector<Value>> parts(op->getNumResults());
  for (const Tile &piece : pieces) {
    SmallVector<Value> tiles;
    for (auto [operand, tile] :
         llvm::zip_equal(op->getOperands(), getOperandTiles(op, piece)))
      tiles.push_back(buildTile(builder, location, operand, tile));
    SmallVector<Value> built = buildPiece(builder, op, tiles, piece);
    if (built.empty())
      return {};
    for (auto [all, part] : llvm::zip_equal(parts, built))
      all.push_back(part);
  }
  const bool isFree = getSplits(op)[dimension].kind == Split::Kind::Free;
  return llvm::map_to_vector(parts, [&](ArrayRef<Value> all) -> Value {
    if (all.size() == 1)
      return all.front();
    if (!isFree)
      return cast<SplitOpInterface>(op).buildJoin(builder, dimension, all);
    return ConcatOp::create(builder, location, all, uint64_t(dimension));
  });
}
