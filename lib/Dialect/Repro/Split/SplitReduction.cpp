// Pieces of contract, reduce and arg_reduce. A piece is the same op over a part
// of its domain.

#include "../IR/WindowGroups.h"
#include "SplitOrder.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {

/// The part of a domain that a piece is, with indices that begin at its tiles.
struct DomainPiece {
  IterationSpace space;
  SmallVector<Tile> tiles; ///< of the operands

  DomainPiece(Operation *op, DomainAttr domain, ArrayAttr maps,
              ArrayRef<IndexRange> piece)
      : space(*IterationSpace::get(domain, maps, op->getOperands(),
                                   op->getResult(0))) {
    const size_t rank = space.shapes.back().size();
    // Phases stay whole, or their group would have another shape (domain_c4).
    SmallVector<unsigned> phases;
    const SmallVector<WindowGroup> groups = *findWindowGroups(space);
    for (const WindowGroup &group : groups)
      if (group.phase)
        phases.push_back(*group.phase);
    for (auto [iterator, range] :
         llvm::zip_equal(domain.getReduced(), piece.drop_front(rank)))
      restrict(unsigned(iterator), range);
    for (auto [dim, range] : llvm::enumerate(piece.take_front(rank)))
      restrictResult(dim, range, phases);
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
      tiles.push_back(takeTile(operand));
  }

  RankedTensorType getResultType(Operation *op) const {
    return typeOf(op->getResult(0)).clone(space.shapes.back());
  }

private:
  void restrict(unsigned iterator, const IndexRange &range) {
    LinearExpr moved;
    moved.coefficients.assign(space.extents.size(), 0);
    moved.coefficients[iterator] = range.stride;
    moved.constant = range.begin;
    space.substitute(iterator, moved);
    space.extents[iterator] = range.size;
  }

  /// Makes a result dimension the tile's, and leaves out iterations that reach
  /// none of its elements. Others that do not are dropped (domain_r1).
  void restrictResult(size_t dim, const IndexRange &range,
                      ArrayRef<unsigned> phases) {
    LinearExpr expr = space.maps.back()[dim];
    for (unsigned iterator : expr.iterators()) {
      if (llvm::is_contained(phases, iterator))
        continue;
      // low <= factor * i <= high, whatever the other iterator is.
      const int64_t factor = expr.coefficients[iterator];
      LinearExpr rest = expr;
      rest.coefficients[iterator] = 0;
      const auto [least, most] = space.range(rest);
      const int64_t low = range.begin - most,
                    high = range.begin + range.size - 1 - least;
      int64_t begin = llvm::divideCeilSigned(factor > 0 ? low : high, factor),
              end =
                  llvm::divideFloorSigned(factor > 0 ? high : low, factor) + 1;
      begin = std::clamp<int64_t>(begin, 0, space.extents[iterator]);
      end = std::clamp<int64_t>(end, begin, space.extents[iterator]);
      restrict(iterator, {begin, end - begin});
    }
    space.maps.back()[dim].constant -= range.begin;
    space.shapes.back()[dim] = range.size;
  }

  /// The elements of an operand that the piece reads: what is out of range of
  /// the operand is out of range of the tile, and nothing else.
  Tile takeTile(unsigned operand) {
    Tile tile;
    for (auto [expr, extent] :
         llvm::zip_equal(space.maps[operand], space.shapes[operand])) {
      const IndexRange range = takeRange(expr, extent);
      extent = range.size;
      tile.push_back(range);
    }
    return tile;
  }

  IndexRange takeRange(LinearExpr &expr, int64_t extent) const {
    if (llvm::is_contained(space.extents, 0))
      return {};
    SmallVector<unsigned> used = expr.iterators();
    if (used.size() == 1 && expr.coefficients[used.front()] > 0) {
      int64_t &factor = expr.coefficients[used.front()];
      const int64_t begin =
          std::max<int64_t>(llvm::divideCeilSigned(-expr.constant, factor), 0);
      const int64_t end = std::min(
          space.extents[used.front()],
          llvm::divideFloorSigned(extent - 1 - expr.constant, factor) + 1);
      if (end <= begin)
        return {};
      const IndexRange range = {factor * begin + expr.constant, end - begin,
                                factor};
      factor = 1;
      expr.constant = -begin;
      return range;
    }
    const auto [low, high] = space.range(expr);
    const int64_t begin = std::max<int64_t>(low, 0);
    if (high < begin || begin >= extent)
      return {};
    expr.constant -= begin;
    return {begin, std::min(high + 1, extent) - begin};
  }
};

/// The extents of the result, then those of the reduced iterators.
SmallVector<int64_t> extentsOf(Operation *op, DomainAttr domain) {
  SmallVector<int64_t> extents(shapeOf(op->getResult(0)));
  for (int64_t iterator : domain.getReduced())
    extents.push_back(domain.getExtents()[size_t(iterator)]);
  return extents;
}

/// The cuts of an op whose points are combined in `order`. Windows are not cut
/// into lanes: their taps would be further apart.
SmallVector<Split> splitsOf(OrderedOpInterface op, DomainAttr domain,
                            ArrayAttr maps, OrderAttr order) {
  const SmallVector<int64_t> extents = extentsOf(op, domain);
  const size_t rank = shapeOf(op->getResult(0)).size();
  SmallVector<Split> splits(rank, Split::free());
  if (op.needsOrder() && !order) { // its bits are not defined yet
    splits.resize(extents.size());
    return splits;
  }
  llvm::append_range(
      splits, getSplitsOfPoints(ArrayRef(extents).drop_front(rank), order));
  const auto space =
      *IterationSpace::get(domain, maps, op->getOperands(), op->getResult(0));
  for (const LinearMap &map : space.maps)
    for (const LinearExpr &expr : map)
      if (expr.iterators().size() > 1)
        for (auto [number, iterator] : llvm::enumerate(domain.getReduced()))
          if (Split &split = splits[rank + number];
              expr.coefficients[size_t(iterator)] != 0 &&
              split.kind == Split::Kind::Lanes)
            split = Split::none();
  return splits;
}

OrderAttr orderOf(Operation *op, DomainAttr domain, ArrayRef<IndexRange> piece,
                  OrderAttr order, bool &fits) {
  const SmallVector<int64_t> extents = extentsOf(op, domain);
  const size_t rank = shapeOf(op->getResult(0)).size();
  return getOrderOfPiece(ArrayRef(extents).drop_front(rank),
                         piece.drop_front(rank), order, fits);
}

} // namespace

#define TILES(Op)                                                              \
  SmallVector<Tile> Op::getOperandTiles(ArrayRef<IndexRange> piece)
#define PIECE(Op)                                                              \
  SmallVector<Value> Op::buildPiece(OpBuilder &builder, ValueRange tiles,      \
                                    ArrayRef<IndexRange> piece)
#define JOIN(Op)                                                               \
  Value Op::buildJoin(OpBuilder &builder, unsigned, ValueRange pieces)

SmallVector<int64_t> ContractOp::getSplitExtents() {
  return extentsOf(*this, getDomain());
}

SmallVector<Split> ContractOp::getSplits() {
  return splitsOf(cast<OrderedOpInterface>(getOperation()), getDomain(),
                  getMaps(), getOrderAttr());
}

TILES(ContractOp) {
  return DomainPiece(*this, getDomain(), getMaps(), piece).tiles;
}

PIECE(ContractOp) {
  bool fits = true;
  OrderAttr order = orderOf(*this, getDomain(), piece, getOrderAttr(), fits);
  if (!fits)
    return {};
  const DomainPiece part(*this, getDomain(), getMaps(), piece);
  return {ContractOp::create(
              builder, getLoc(), part.getResultType(*this), tiles[0], tiles[1],
              part.space.getDomain(getContext()),
              part.space.getMaps(getContext()), getBoundsAttr(), order)
              .getResult()};
}

// A partial sum of -0 has become +0 (contract_r3), which no sum that begins
// with +0 shows.
JOIN(ContractOp) {
  return joinPieces(builder, getLoc(), ReduceKind::Sum, pieces, getOrderAttr());
}

SmallVector<int64_t> ReduceOp::getSplitExtents() {
  return extentsOf(*this, getDomain());
}

SmallVector<Split> ReduceOp::getSplits() {
  return splitsOf(cast<OrderedOpInterface>(getOperation()), getDomain(),
                  getMaps(), getOrderAttr());
}

TILES(ReduceOp) {
  return DomainPiece(*this, getDomain(), getMaps(), piece).tiles;
}

PIECE(ReduceOp) {
  bool fits = true;
  OrderAttr order = orderOf(*this, getDomain(), piece, getOrderAttr(), fits);
  if (!fits)
    return {};
  const DomainPiece part(*this, getDomain(), getMaps(), piece);
  return {ReduceOp::create(builder, getLoc(), part.getResultType(*this),
                           getKind(), tiles[0],
                           part.space.getDomain(getContext()),
                           part.space.getMaps(getContext()), order)
              .getResult()};
}

JOIN(ReduceOp) {
  return joinPieces(builder, getLoc(), getKind(), pieces, getOrderAttr());
}

// The number of a point is that among all points (arg_r1), so points stay
// together.
SmallVector<int64_t> ArgReduceOp::getSplitExtents() {
  return extentsOf(*this, getDomain());
}

SmallVector<Split> ArgReduceOp::getSplits() {
  SmallVector<Split> splits(shapeOf(getResult()).size(), Split::free());
  splits.resize(getSplitExtents().size());
  return splits;
}

TILES(ArgReduceOp) {
  return DomainPiece(*this, getDomain(), getMaps(), piece).tiles;
}

PIECE(ArgReduceOp) {
  const DomainPiece part(*this, getDomain(), getMaps(), piece);
  return {ArgReduceOp::create(builder, getLoc(), part.getResultType(*this),
                              getKind(), getLast(), tiles[0],
                              part.space.getDomain(getContext()),
                              part.space.getMaps(getContext()))
              .getResult()};
}
