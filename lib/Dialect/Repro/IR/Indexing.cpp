// gather and scatter: rules, columns, cost.

#include "gensyn/Dialect/Repro/IR/IndexMap.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

/// Adds `factor * expr` to `out`; fails on floordiv, ceildiv and mod, on a
/// second index and on numbers beyond 64 bits.
static LogicalResult accumulateIndex(AffineExpr expr, int64_t factor,
                                     IndexExpr &out) {
  auto add = [&](int64_t &number, int64_t more) {
    int64_t product;
    return success(!llvm::MulOverflow(factor, more, product) &&
                   !llvm::AddOverflow(number, product, number));
  };
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return add(out.constant, constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return add(out.coefficients[dim.getPosition()], 1);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    if (factor != 1 || out.symbol)
      return failure();
    out.symbol = symbol.getPosition();
    return success();
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add)
    return success(succeeded(accumulateIndex(binary.getLHS(), factor, out)) &&
                   succeeded(accumulateIndex(binary.getRHS(), factor, out)));
  // Canonical affine expressions have the constant factor on the right.
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  int64_t product;
  if (expr.getKind() != AffineExprKind::Mul || !scale ||
      llvm::MulOverflow(factor, scale.getValue(), product))
    return failure();
  return accumulateIndex(binary.getLHS(), product, out);
}

FailureOr<IndexMap> repro::readIndexMap(AffineMap map) {
  IndexMap result;
  for (AffineExpr expr : map.getResults()) {
    IndexExpr &out = result.emplace_back();
    out.coefficients.assign(map.getNumDims(), 0);
    if (failed(accumulateIndex(expr, 1, out)))
      return failure();
  }
  return result;
}

std::optional<std::pair<int64_t, int64_t>>
IndexExpr::range(ArrayRef<int64_t> extents) const {
  constexpr int64_t limit = int64_t{1} << 62;
  int64_t low = constant, high = constant;
  for (auto [extent, coefficient] : llvm::zip_equal(extents, coefficients)) {
    int64_t reach;
    int64_t &end = coefficient < 0 ? low : high;
    if (llvm::MulOverflow(std::max<int64_t>(extent, 1) - 1, coefficient,
                          reach) ||
        llvm::AddOverflow(end, reach, end))
      return std::nullopt;
  }
  if (low < -limit || high > limit)
    return std::nullopt;
  return std::pair(low, high);
}

bool IndexExpr::isInside(ArrayRef<int64_t> extents, int64_t extent) const {
  auto reach = range(extents);
  return !symbol && reach && reach->first >= 0 && reach->second < extent;
}

std::optional<unsigned> IndexExpr::asIterator() const {
  std::optional<unsigned> result;
  for (auto [i, coefficient] : llvm::enumerate(coefficients)) {
    if (coefficient == 0)
      continue;
    if (coefficient != 1 || result)
      return std::nullopt;
    result = static_cast<unsigned>(i);
  }
  return symbol || constant != 0 ? std::nullopt : result;
}

/// gather_c1, gather_c2: the maps of `op` from iterators with the extents of
/// `points` to `target` and to the indices.
static LogicalResult verifyIndexMaps(Operation *op, ArrayAttr maps,
                                     RankedTensorType points,
                                     RankedTensorType target,
                                     OperandRange indices) {
  if (maps.size() != indices.size() + 1)
    return op->emitOpError("has ")
           << maps.size() << " maps, expected " << indices.size() + 1;
  for (auto [number, map] :
       llvm::enumerate(maps.getAsValueRange<AffineMapAttr>())) {
    auto reached = number == 0 ? target : typeOf(indices[number - 1]);
    const size_t symbols = number == 0 ? indices.size() : 0;
    if (map.getNumDims() != points.getRank() ||
        map.getNumSymbols() != symbols ||
        map.getNumResults() != reached.getRank())
      return op->emitOpError("map ")
             << number << " leads from " << map.getNumDims()
             << " iterators and " << map.getNumSymbols() << " indices to "
             << map.getNumResults() << " dimensions, expected "
             << points.getRank() << ", " << symbols << " and "
             << reached.getRank();
    if (number == 0) { // gather_c1
      FailureOr<IndexMap> linear = readIndexMap(map);
      if (failed(linear))
        return op->emitOpError("map 0 has an expression that is not a sum of "
                               "multiples of iterators, a constant and at most "
                               "one index");
      for (const IndexExpr &expr : *linear)
        if (!expr.range(points.getShape()))
          return op->emitOpError("map 0 has an expression that goes beyond "
                                 "2^62");
      continue;
    }
    if (!map.isProjectedPermutation()) // gather_c2
      return op->emitOpError("map ")
             << number << " is not a projected permutation";
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (int64_t extent =
              points.getDimSize(cast<AffineDimExpr>(expr).getPosition());
          extent != reached.getDimSize(dim))
        return op->emitOpError("index ")
               << number - 1 << " has extent " << reached.getDimSize(dim)
               << " in dimension " << dim << ", expected " << extent;
  }
  return success();
}

LogicalResult GatherOp::verify() {
  auto data = typeOf(getData()), result = typeOf(getResult());
  if (data.getElementType() != result.getElementType()) // gather_c4
    return emitOpError("changes the element type from ")
           << data.getElementType() << " to " << result.getElementType();
  return verifyIndexMaps(*this, getMaps(), result, data, getIndices());
}

// gather_c3: the attribute has no other values.
bool GatherOp::mayFault() { return getBounds() == IndexBound::Fault; }
std::string GatherOp::describeFault() { return "index out of range"; }

LogicalResult ScatterOp::verify() {
  auto result = typeOf(getResult()), updates = typeOf(getUpdates());
  Type element = result.getElementType();
  if (updates.getElementType() != element)
    return emitOpError("meets elements of type ")
           << element << " with updates of type " << updates.getElementType();
  // scatter_c1: storage types can be moved, but not computed with.
  if (getKind() != ScatterKind::Set && isStorageOnly(*getElementType(element)))
    return emitOpError("combines ")
           << element << " by " << stringifyScatterKind(getKind());
  if (getKind() != ScatterKind::Set && element.isInteger(1))
    return emitOpError("combines ")
           << element << " by " << stringifyScatterKind(getKind());
  // scatter_c3
  if (std::optional<ArrayRef<int64_t>> within = getWithin()) {
    constexpr int64_t limit = int64_t{1} << 62;
    bool fits = within->size() == 2 * size_t(result.getRank());
    for (int64_t dim = 0; fits && dim < result.getRank(); ++dim) {
      const auto [begin, end] = getValid(unsigned(dim));
      fits = begin >= -limit && begin <= 0 && end >= result.getDimSize(dim) &&
             end <= limit;
    }
    if (!fits)
      return emitOpError("does not fault within [")
             << *within << "], expected a beginning and an end for each of "
             << result.getRank() << " dimensions, around the result's indices";
  }
  // scatter_c2
  return verifyIndexMaps(*this, getMaps(), updates, result, getIndices());
}

std::pair<int64_t, int64_t> ScatterOp::getValid(unsigned dimension) {
  if (std::optional<ArrayRef<int64_t>> within = getWithin())
    return {(*within)[2 * size_t(dimension)],
            (*within)[2 * size_t(dimension) + 1]};
  return {0, typeOf(getResult()).getDimSize(dimension)};
}

bool ScatterOp::mayFault() { return getBounds() == IndexBound::Fault; }
std::string ScatterOp::describeFault() { return "index out of range"; }
ElementCost ScatterOp::getElementCost() { return ElementCost::Several; }
int64_t ScatterOp::getFlops() {
  auto updates = typeOf(getUpdates());
  return getKind() != ScatterKind::Set &&
                 isa<FloatType>(updates.getElementType())
             ? updates.getNumElements()
             : 0;
}

SmallVector<std::pair<unsigned, unsigned>>
repro::getScatterColumns(ScatterOp scatter) {
  SmallVector<std::pair<unsigned, unsigned>> columns;
  auto updates = typeOf(scatter.getUpdates()),
       result = typeOf(scatter.getResult());
  FailureOr<IndexMap> map = readIndexMap(scatter.getMap(0));
  if (failed(map))
    return columns;
  for (auto [dim, expr] : llvm::enumerate(*map)) {
    std::optional<unsigned> iterator = expr.asIterator();
    // No column would report the fault of an update outside of the result.
    if (!iterator || updates.getDimSize(*iterator) > result.getDimSize(dim) ||
        llvm::is_contained(llvm::make_first_range(columns), *iterator))
      continue;
    columns.emplace_back(*iterator, static_cast<unsigned>(dim));
  }
  return columns;
}

bool repro::hasDistinctTargets(ScatterOp scatter) {
  FailureOr<IndexMap> map = readIndexMap(scatter.getMap(0));
  if (failed(map) || llvm::any_of(scatter.getIndices(), [](Value index) {
        return typeOf(index).getNumElements() != 1;
      }))
    return false;
  ArrayRef<int64_t> extents = typeOf(scatter.getUpdates()).getShape();
  llvm::BitVector isAlone(static_cast<unsigned>(extents.size()));
  for (const IndexExpr &expr : *map) {
    SmallVector<unsigned> moving;
    for (auto [iterator, extent] : llvm::enumerate(extents))
      if (extent > 1 && expr.coefficients[iterator] != 0)
        moving.push_back(static_cast<unsigned>(iterator));
    if (moving.size() == 1)
      isAlone.set(moving.front());
  }
  for (auto [iterator, extent] : llvm::enumerate(extents))
    if (extent > 1 && !isAlone.test(static_cast<unsigned>(iterator)))
      return false;
  return true;
}

SmallVector<int64_t> ScatterOp::getColumns() {
  SmallVector<int64_t> extents;
  for (auto [iterator, dim] : getScatterColumns(*this))
    extents.push_back(typeOf(getResult()).getDimSize(dim));
  return extents;
}
