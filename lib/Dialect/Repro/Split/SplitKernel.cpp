// Pieces of kernels: the tiles of its results that a piece has determine those
// of all values before them.

#include "../IR/KernelTiles.h"

#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {

/// The adjacent indices that contain those of a range.
IndexRange coverOf(const IndexRange &range) {
  if (range.size == 0)
    return {};
  return {range.begin, (range.size - 1) * range.stride + 1};
}

/// Ranges of adjacent indices that contain those of both.
void include(Tile &hull, ArrayRef<IndexRange> tile) {
  for (auto [all, range] : llvm::zip_equal(hull, tile)) {
    if (range.size == 0)
      continue;
    const IndexRange more = coverOf(range);
    if (all.size == 0) {
      all = more;
      continue;
    }
    const int64_t begin = std::min(all.begin, more.begin);
    all.size = std::max(all.begin + all.size, more.begin + more.size) - begin;
    all.begin = begin;
  }
}

/// A tile as part of another.
Tile within(ArrayRef<IndexRange> tile, ArrayRef<IndexRange> hull) {
  Tile moved(tile);
  for (auto [range, all] : llvm::zip_equal(moved, hull))
    if (range.size != 0)
      range.begin -= all.begin;
  return moved;
}

/// The piece of an op that has a tile of its results: adjacent indices, all of
/// them where results depend on each other, and all points.
Tile pieceWith(Operation *op, ArrayRef<IndexRange> tile) {
  Tile piece = getWholePiece(op);
  for (auto [range, wanted, split] :
       llvm::zip_first(tile, piece, getSplits(op)))
    if (split.kind == Split::Kind::Free)
      wanted = coverOf(range);
  return piece;
}

/// The tiles of a kernel's arguments that a piece reads.
class ArgumentTiles {
public:
  explicit ArgumentTiles(Block &block) {
    for (Value argument : block.getArguments())
      hulls[argument] = Tile(shapeOf(argument).size());
  }

  void demand(Value value, ArrayRef<IndexRange> tile) {
    Operation *op = value.getDefiningOp();
    if (!op) {
      include(hulls[value], tile);
      return;
    }
    const Tile piece = pieceWith(op, tile);
    SmallVector<Tile> &before = seen[op];
    if (llvm::is_contained(before, piece))
      return;
    before.push_back(piece);
    for (auto [operand, part] :
         llvm::zip_equal(op->getOperands(), getOperandTiles(op, piece)))
      demand(operand, part);
  }

  const Tile &of(Value argument) const { return hulls.find(argument)->second; }
  /// Of an op.
  ArrayRef<Tile> piecesOf(Operation *op) const {
    auto found = seen.find(op);
    return found == seen.end() ? ArrayRef<Tile>() : found->second;
  }

private:
  DenseMap<Value, Tile> hulls;
  DenseMap<Operation *, SmallVector<Tile>> seen;
};

/// Builds tiles of a kernel's values from tiles of its arguments. A value that
/// is read in several tiles is computed for each.
class TileBuilder {
public:
  TileBuilder(OpBuilder &builder, Block &block, const KernelTiles &tiles,
              ValueRange arguments)
      : builder(builder), tiles(tiles) {
    for (auto [old, argument] :
         llvm::zip_equal(block.getArguments(), arguments))
      given[old] = argument;
  }

  /// Null where a piece cannot be built.
  Value build(Value value, ArrayRef<IndexRange> tile) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return buildTile(
          builder, value.getLoc(), given[value],
          within(tile,
                 tiles.arguments[cast<BlockArgument>(value).getArgNumber()]));
    const Tile piece = pieceWith(op, tile);
    auto &before = built[op];
    auto *found = llvm::find_if(
        before, [&](const auto &entry) { return entry.first == piece; });
    if (found == before.end()) {
      SmallVector<Value> operands;
      for (auto [operand, part] :
           llvm::zip_equal(op->getOperands(), getOperandTiles(op, piece)))
        if (Value made = build(operand, part))
          operands.push_back(made);
        else
          return {};
      SmallVector<Value> results = buildPiece(builder, op, operands, piece);
      if (results.empty())
        return {};
      auto &entries = built[op];
      entries.emplace_back(piece, results);
      found = std::prev(entries.end());
    }
    const size_t number = cast<OpResult>(value).getResultNumber();
    return buildTile(builder, op->getLoc(), found->second[number],
                     within(tile, ArrayRef(piece).take_front(tile.size())));
  }

private:
  OpBuilder &builder;
  const KernelTiles &tiles;
  DenseMap<Value, Value> given;
  DenseMap<Operation *, SmallVector<std::pair<Tile, SmallVector<Value>>>> built;
};

/// The tile of each result that a piece has. Results share the dimensions that
/// may be cut.
SmallVector<Tile> tilesOfResults(KernelOp kernel, ArrayRef<IndexRange> piece) {
  return llvm::map_to_vector(kernel.getResults(), [&](Value result) {
    Tile tile = llvm::map_to_vector(shapeOf(result), IndexRange::whole);
    for (auto [range, split, part] : llvm::zip(tile, kernel.getSplits(), piece))
      if (split.kind == Split::Kind::Free)
        range = part;
    return tile;
  });
}

KernelTiles findTiles(KernelOp kernel, ArrayRef<IndexRange> piece) {
  ArgumentTiles tiles(kernel.getBlock());
  for (auto [value, tile] :
       llvm::zip_equal(kernel.getYielded(), tilesOfResults(kernel, piece)))
    tiles.demand(value, tile);
  KernelTiles found;
  for (Value argument : kernel.getBlock().getArguments())
    found.arguments.push_back(tiles.of(argument));
  for (auto [number, op] :
       llvm::enumerate(kernel.getBlock().without_terminator()))
    for (const Tile &tile : tiles.piecesOf(&op))
      found.pieces.push_back({unsigned(number), tile});
  return found;
}

std::shared_ptr<const KernelTiles> tilesOf(KernelOp kernel,
                                           ArrayRef<IndexRange> piece) {
  return KernelTilesCache::get(kernel, piece,
                               [&] { return findTiles(kernel, piece); });
}

/// "softmax_0_64": the kernel's name and where its piece begins.
std::string nameOf(KernelOp kernel, ArrayRef<IndexRange> piece) {
  std::string name = kernel.getSym().str();
  for (const IndexRange &range : piece)
    name += "_" + std::to_string(range.begin);
  return name;
}

} // namespace

SmallVector<std::pair<Operation *, Tile>>
repro::getInnerPieces(KernelOp kernel, ArrayRef<IndexRange> piece) {
  SmallVector<Operation *> ops;
  for (Operation &op : kernel.getBlock())
    ops.push_back(&op);
  return llvm::map_to_vector(tilesOf(kernel, piece)->pieces,
                             [&](const std::pair<unsigned, Tile> &own) {
                               return std::pair(ops[own.first], own.second);
                             });
}

// The dimensions that all results have in common, except those along which a
// result's elements depend on each other.
SmallVector<Split> KernelOp::getSplits() {
  SmallVector<Split> splits(getSplitExtents().size(), Split::free());
  for (Value value : getYielded()) {
    ArrayRef<int64_t> shape = shapeOf(value);
    Operation *op = value.getDefiningOp();
    SmallVector<Split> own(shape.size(), Split::free());
    if (op && isSplittable(op))
      own = repro::getSplits(op);
    else if (op)
      own.assign(shape.size(), Split::none());
    bool isCommon = true;
    for (auto [dim, split] : llvm::enumerate(splits)) {
      isCommon = isCommon && dim < shape.size() &&
                 shape[dim] == getSplitExtents()[dim];
      if (!isCommon || own[dim].kind != Split::Kind::Free)
        split = Split::none();
    }
  }
  return splits;
}

SmallVector<Tile> KernelOp::getOperandTiles(ArrayRef<IndexRange> piece) {
  return tilesOf(*this, piece)->arguments;
}

SmallVector<Value> KernelOp::buildPiece(OpBuilder &builder, ValueRange tiles,
                                        ArrayRef<IndexRange> piece) {
  const auto found = tilesOf(*this, piece);
  const SmallVector<Tile> results = tilesOfResults(*this, piece);
  SmallVector<Type> types;
  for (auto [result, tile] : llvm::zip_equal(getResults(), results)) {
    SmallVector<int64_t> shape;
    for (const IndexRange &range : tile)
      shape.push_back(range.size);
    types.push_back(typeOf(result).clone(shape));
  }
  auto part = KernelOp::create(builder, getLoc(), types, nameOf(*this, piece),
                               tiles, Attribute());
  Block &block = part.getBody().emplaceBlock();
  for (Value tile : tiles)
    block.addArgument(tile.getType(), getLoc());
  OpBuilder inside = OpBuilder::atBlockEnd(&block);
  TileBuilder body(inside, getBlock(), *found, block.getArguments());
  SmallVector<Value> yielded;
  for (auto [value, tile] : llvm::zip_equal(getYielded(), results))
    yielded.push_back(body.build(value, tile));
  if (llvm::is_contained(yielded, Value())) {
    part.erase();
    return {};
  }
  YieldOp::create(inside, getLoc(), yielded);
  return SmallVector<Value>(part.getResults());
}
