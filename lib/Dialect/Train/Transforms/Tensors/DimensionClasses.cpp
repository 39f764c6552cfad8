// See DimensionClasses.h.

#include "DimensionClasses.h"

#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

#include <numeric>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::IndexRange;
using repro::Split;
using repro::Tile;

Tile TensorCut::part(ArrayRef<int64_t> shape, size_t rank) const {
  Tile tile = llvm::map_to_vector(shape, IndexRange::whole);
  if (!isWhole())
    tile[dim] = {bounds[rank], bounds[rank + 1] - bounds[rank]};
  return denseTile(tile);
}

unsigned DimensionClasses::find(unsigned dimension) {
  while (parents[dimension] != dimension)
    dimension = parents[dimension] = parents[parents[dimension]];
  return dimension;
}

unsigned DimensionClasses::findGroup(unsigned node) {
  while (groups[node] != node)
    node = groups[node] = groups[groups[node]];
  return node;
}

/// A class that would have fewer parts than there are ranks is not joined.
void DimensionClasses::join(unsigned node, unsigned dim, unsigned source,
                            unsigned sourceDim) {
  const unsigned a = find(first[source] + sourceDim),
                 b = find(first[node] + dim);
  const int64_t common = std::gcd(parts[a], parts[b]);
  if (common < ranks)
    return;
  // The first dimension stands for its class.
  parents[std::max(a, b)] = std::min(a, b);
  parts[std::min(a, b)] = common;
  if (reduces[node] || reduces[source])
    return;
  const unsigned one = findGroup(source), other = findGroup(node);
  groups[std::max(one, other)] = std::min(one, other);
}

/// The results of an op that is cut have one shape.
static bool canBeCut(Operation *op) {
  return op && op->getNumResults() > 0 && repro::isSplittable(op) &&
         llvm::all_equal(llvm::map_range(op->getResults(), [](Value result) {
           return repro::shapeOf(result);
         }));
}

/// Two pieces along the dimension show which dimensions of nodes' results
/// follow it.
void DimensionClasses::linkDimension(unsigned node, unsigned dim) {
  Operation *op = program.nodes[node].op;
  const int64_t extent = repro::shapeOf(op->getResult(0))[dim];
  llvm::SmallDenseSet<int64_t> tried;
  auto tilesOf = [&](IndexRange range) {
    Tile piece = repro::getWholePiece(op);
    piece[dim] = range;
    return repro::getOperandTiles(op, piece);
  };
  SmallVector<std::pair<unsigned, Value>> sources;
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    // Others have no dimensions here.
    if (auto source = program.nodeOf(program.resolve(operand));
        source && canBeCut(program.nodes[*source].op))
      sources.emplace_back(unsigned(number), operand);
  for (auto [number, operand] : sources)
    for (int64_t other : repro::shapeOf(operand))
      if (const int64_t common = std::gcd(extent, other); common >= ranks)
        tried.insert(extent / common);
  SmallVector<int64_t> units(tried.begin(), tried.end());
  llvm::sort(units);
  for (int64_t unit : units) {
    const SmallVector<Tile> low = tilesOf({0, unit});
    const SmallVector<Tile> high = tilesOf({unit, extent - unit});
    for (auto [number, operand] : sources)
      for (auto [operandDim, length] :
           llvm::enumerate(repro::shapeOf(operand))) {
        if (length * unit % extent != 0)
          continue;
        const int64_t cut = length * unit / extent;
        Tile expected = wholeTile(operand);
        expected[operandDim] = {0, cut};
        if (cut == 0 || low[number] != expected)
          continue;
        expected[operandDim] = {cut, length - cut};
        if (high[number] == expected)
          join(node, dim, *program.nodeOf(program.resolve(operand)),
               unsigned(operandDim));
      }
  }
}

void DimensionClasses::link(unsigned node) {
  if (!canBeCut(program.nodes[node].op))
    return;
  Operation *op = program.nodes[node].op;
  const SmallVector<Split> splits = repro::getSplits(op);
  for (unsigned dim = 0; dim < repro::shapeOf(op->getResult(0)).size(); ++dim)
    if (splits[dim].kind == Split::Kind::Free &&
        repro::shapeOf(op->getResult(0))[dim] >= ranks)
      linkDimension(node, dim);
}

/// False if a part of a sum is not computed from the same part of it.
bool DimensionClasses::addsByTiles(unsigned node, const TensorCut &cut) const {
  const TensorNode &one = program.nodes[node];
  for (size_t rank = 0; one.addsToSum && rank < size_t(ranks); ++rank) {
    const Tile part = cut.part(repro::shapeOf(one.op->getResult(0)), rank);
    for (auto [operand, tile] : llvm::zip_equal(
             one.op->getOperands(),
             repro::getOperandTiles(one.op, pieceOfTile(one.op, part))))
      if (program.isSum(program.resolve(operand)) && tile != part)
        return false;
  }
  return true;
}

SmallVector<TensorCut, 0> DimensionClasses::findCuts(unsigned node) {
  SmallVector<TensorCut, 0> found = {TensorCut()};
  Operation *op = program.nodes[node].op;
  if (!canBeCut(op) || ranks == 1)
    return found;
  const SmallVector<Split> splits = repro::getSplits(op);
  const ArrayRef<int64_t> shape = repro::shapeOf(op->getResult(0));
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    if (splits[dim].kind != Split::Kind::Free || shape[dim] < ranks)
      continue;
    TensorCut cut;
    cut.dim = dim;
    cut.dimensionClass = find(first[node] + dim);
    const int64_t count = parts[cut.dimensionClass], unit = shape[dim] / count;
    // The first ranks have one part more where the division leaves a rest.
    for (int64_t rank = 0; rank <= ranks; ++rank)
      cut.bounds.push_back(
          unit * (count / ranks * rank + std::min(rank, count % ranks)));
    if (addsByTiles(node, cut))
      found.push_back(std::move(cut));
  }
  return found;
}

DimensionClasses::DimensionClasses(const TensorProgram &program, int64_t ranks)
    : program(program), ranks(ranks) {
  const auto count = static_cast<unsigned>(program.nodes.size());
  for (unsigned node = 0; node < count; ++node) {
    Operation *op = program.nodes[node].op;
    first.push_back(static_cast<unsigned>(parents.size()));
    groups.push_back(node);
    reduces.push_back(true);
    if (!canBeCut(op))
      continue;
    const ArrayRef<int64_t> shape = repro::shapeOf(op->getResult(0));
    reduces.back() = repro::getSplitExtents(op).size() != shape.size();
    for (int64_t extent : shape) {
      parents.push_back(static_cast<unsigned>(parents.size()));
      parts.push_back(extent);
    }
  }
  for (unsigned node = 0; node < count; ++node)
    link(node);
  for (unsigned node = 0; node < count; ++node) {
    cuts.push_back(findCuts(node));
    groups[node] = findGroup(node);
  }
}
