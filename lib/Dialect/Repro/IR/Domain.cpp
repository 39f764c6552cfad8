// Domains and their maps; see IterationSpace.h.

#include "IterationSpace.h"
#include "gensyn/Numerics/Sizes.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gensyn::repro;

bool DomainAttr::isReduced(unsigned iterator) const {
  return llvm::is_contained(getReduced(), int64_t(iterator));
}

SmallVector<int64_t> DomainAttr::getParallel() const {
  SmallVector<int64_t> parallel;
  for (unsigned i = 0; i < getRank(); ++i)
    if (!isReduced(i))
      parallel.push_back(i);
  return parallel;
}

int64_t DomainAttr::getNumPoints() const {
  int64_t points = 1;
  for (int64_t iterator : getReduced())
    points *= getExtents()[iterator];
  return points;
}

SmallVector<unsigned> LinearExpr::iterators() const {
  SmallVector<unsigned> used;
  for (auto [i, coefficient] : llvm::enumerate(coefficients))
    if (coefficient)
      used.push_back(i);
  return used;
}

/// Adds `factor * expr` to `linear`; fails on floordiv, ceildiv and mod, and on
/// numbers beyond 64 bits.
static LogicalResult accumulate(AffineExpr expr, int64_t factor,
                                LinearExpr &linear) {
  auto add = [&](int64_t &number, int64_t more) {
    int64_t product = 0;
    return success(!llvm::MulOverflow(factor, more, product) &&
                   !llvm::AddOverflow(number, product, number));
  };
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return add(linear.constant, constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() < linear.coefficients.size()
               ? add(linear.coefficients[dim.getPosition()], 1)
               : failure();
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  if (expr.getKind() == AffineExprKind::Add)
    return success(succeeded(accumulate(binary.getLHS(), factor, linear)) &&
                   succeeded(accumulate(binary.getRHS(), factor, linear)));
  // Canonical affine expressions have the constant factor on the right.
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  int64_t product = 0;
  if (expr.getKind() != AffineExprKind::Mul || !scale ||
      llvm::MulOverflow(factor, scale.getValue(), product))
    return failure();
  return accumulate(binary.getLHS(), product, linear);
}

FailureOr<LinearExpr> LinearExpr::get(AffineExpr expr, unsigned rank) {
  LinearExpr linear;
  linear.coefficients.assign(rank, 0);
  if (failed(accumulate(expr, 1, linear)))
    return failure();
  return linear;
}

FailureOr<IterationSpace> IterationSpace::get(DomainAttr domain, ArrayAttr maps,
                                              ValueRange operands,
                                              Value result) {
  IterationSpace space;
  space.extents.assign(domain.getExtents().begin(), domain.getExtents().end());
  for (unsigned i = 0; i < domain.getRank(); ++i)
    space.reduced.push_back(domain.isReduced(i));
  for (Attribute attribute : maps) {
    AffineMap map = cast<AffineMapAttr>(attribute).getValue();
    if (map.getNumDims() != domain.getRank() || map.getNumSymbols() != 0)
      return failure();
    LinearMap &linear = space.maps.emplace_back();
    for (AffineExpr expr : map.getResults()) {
      FailureOr<LinearExpr> read = LinearExpr::get(expr, domain.getRank());
      if (failed(read))
        return failure();
      linear.push_back(std::move(*read));
    }
  }
  for (Value tensor : operands)
    space.shapes.emplace_back(cast<ShapedType>(tensor.getType()).getShape());
  space.shapes.emplace_back(cast<ShapedType>(result.getType()).getShape());
  if (space.maps.size() != space.shapes.size())
    return failure();
  return space;
}

void IterationSpace::substitute(unsigned iterator,
                                const LinearExpr &replacement) {
  for (LinearMap &map : maps)
    for (LinearExpr &expr : map) {
      int64_t factor = std::exchange(expr.coefficients[iterator], 0);
      for (auto [i, coefficient] : llvm::enumerate(replacement.coefficients))
        expr.coefficients[i] += factor * coefficient;
      expr.constant += factor * replacement.constant;
    }
}

unsigned IterationSpace::insertIterator(unsigned after, int64_t extent) {
  unsigned position = after + 1;
  extents.insert(extents.begin() + position, extent);
  reduced.insert(reduced.begin() + position, reduced[after]);
  for (LinearMap &map : maps)
    for (LinearExpr &expr : map)
      expr.coefficients.insert(expr.coefficients.begin() + position, 0);
  return position;
}

void IterationSpace::eraseIterator(unsigned iterator) {
  extents.erase(extents.begin() + iterator);
  reduced.erase(reduced.begin() + iterator);
  for (LinearMap &map : maps)
    for (LinearExpr &expr : map)
      expr.coefficients.erase(expr.coefficients.begin() + iterator);
}

bool IterationSpace::isBounded(const LinearExpr &expr) const {
  auto isSmall = [](int64_t number) {
    return number >= -kMaxElements && number <= kMaxElements;
  };
  if (!isSmall(expr.constant))
    return false;
  int64_t low = expr.constant, high = expr.constant;
  for (auto [coefficient, extent] : llvm::zip(expr.coefficients, extents)) {
    int64_t &end = coefficient < 0 ? low : high, reach = 0;
    if (!isSmall(coefficient) ||
        llvm::MulOverflow(coefficient, std::max<int64_t>(extent - 1, 0),
                          reach) ||
        llvm::AddOverflow(end, reach, end))
      return false;
  }
  return low >= -kMaxDomainPoints && high <= kMaxDomainPoints;
}

std::pair<int64_t, int64_t>
IterationSpace::range(const LinearExpr &expr) const {
  int64_t low = expr.constant, high = expr.constant;
  for (auto [coefficient, extent] : llvm::zip(expr.coefficients, extents)) {
    int64_t reach = coefficient * std::max<int64_t>(extent - 1, 0);
    (reach < 0 ? low : high) += reach;
  }
  return {low, high};
}

bool IterationSpace::mayLeave(unsigned tensor) const {
  if (llvm::is_contained(extents, 0))
    return false;
  for (auto [expr, extent] : llvm::zip(maps[tensor], shapes[tensor])) {
    auto [low, high] = range(expr);
    if (low < 0 || high >= extent)
      return true;
  }
  return false;
}

void IterationSpace::normalize() {
  SmallVector<unsigned> order;
  for (const LinearExpr &expr : maps.back()) {
    // Within one index the iterator with the larger stride is the outer one.
    SmallVector<unsigned> used = expr.iterators();
    llvm::stable_sort(used, [&](unsigned a, unsigned b) {
      return std::abs(expr.coefficients[a]) > std::abs(expr.coefficients[b]);
    });
    for (unsigned iterator : used)
      if (!llvm::is_contained(order, iterator))
        order.push_back(iterator);
  }
  size_t parallel = order.size();
  for (unsigned i = 0; i < extents.size(); ++i)
    if (!llvm::is_contained(order, i))
      order.push_back(i);

  IterationSpace old = *this;
  for (auto [position, iterator] : llvm::enumerate(order)) {
    extents[position] = old.extents[iterator];
    reduced[position] = position >= parallel;
  }
  for (auto [map, oldMap] : llvm::zip(maps, old.maps))
    for (auto [expr, oldExpr] : llvm::zip(map, oldMap))
      for (auto [position, iterator] : llvm::enumerate(order))
        expr.coefficients[position] = oldExpr.coefficients[iterator];
}

DomainAttr IterationSpace::getDomain(MLIRContext *context) const {
  SmallVector<int64_t> iterators;
  for (auto [i, isReduced] : llvm::enumerate(reduced))
    if (isReduced)
      iterators.push_back(i);
  return DomainAttr::get(context, extents, iterators);
}

ArrayAttr IterationSpace::getMaps(MLIRContext *context) const {
  SmallVector<Attribute> attributes;
  for (const LinearMap &map : maps) {
    SmallVector<AffineExpr> exprs;
    for (const LinearExpr &linear : map) {
      AffineExpr expr = getAffineConstantExpr(linear.constant, context);
      for (unsigned i : linear.iterators())
        expr = getAffineDimExpr(i, context) * linear.coefficients[i] + expr;
      exprs.push_back(expr);
    }
    attributes.push_back(
        AffineMapAttr::get(AffineMap::get(extents.size(), 0, exprs, context)));
  }
  return ArrayAttr::get(context, attributes);
}
