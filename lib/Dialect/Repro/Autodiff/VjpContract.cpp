// The derivative of a contraction is a contraction: the same maps with another
// one as the result, window groups brought into the shape that it needs.

#include "../IR/WindowGroups.h"

using namespace mlir;
using namespace gensyn::repro;

/// The bound of reads outside of a tensor in a derivative: a tap off the
/// lattice (s' t + r past the last one) is skipped, any other read is zero.
static Bound boundOf(const IterationSpace &space, unsigned tensor,
                     ArrayRef<WindowGroup> groups) {
  if (!space.mayLeave(tensor))
    return Bound::In;
  for (auto [expr, extent] :
       llvm::zip(space.maps[tensor], space.shapes[tensor])) {
    auto [low, high] = space.range(expr);
    if (low >= 0 && high < extent)
      continue;
    for (const WindowGroup &group : groups)
      if (group.phase && expr.coefficients[group.inner] &&
          expr.coefficients[*group.phase])
        return Bound::Skip;
  }
  return Bound::Zero;
}

/// The iterator, if an index is a single iterator and nothing else.
static std::optional<unsigned> asIterator(const LinearExpr &expr) {
  SmallVector<unsigned> used = expr.iterators();
  if (used.size() != 1 || expr.coefficients[used[0]] != 1 || expr.constant)
    return std::nullopt;
  return used[0];
}

namespace {
/// The dimensions of an operand that is read on a diagonal, such as `ii` of an
/// einsum. In a result an iterator may occur in one index only (domain_c3).
struct Diagonal {
  explicit Diagonal(const LinearMap &map) {
    llvm::DenseMap<unsigned, int64_t> found;
    for (auto [dim, expr] : llvm::enumerate(map)) {
      const auto fresh = static_cast<int64_t>(kept.size());
      std::optional<unsigned> iterator = asIterator(expr);
      place.push_back(
          iterator ? found.try_emplace(*iterator, fresh).first->second : fresh);
      if (place.back() == fresh)
        kept.push_back(static_cast<int64_t>(dim));
    }
  }
  bool isProper() const { return kept.size() < place.size(); }

  template <class List> List pick(const List &list) const {
    List some;
    for (int64_t dim : kept)
      some.push_back(list[static_cast<size_t>(dim)]);
    return some;
  }

  /// A tensor of `type` with `values` on the diagonal and zeros elsewhere.
  Value spread(OpBuilder &builder, Location location, RankedTensorType type,
               Value values) const {
    SmallVector<AffineExpr> index;
    for (int64_t dim : place)
      index.push_back(builder.getAffineDimExpr(static_cast<unsigned>(dim)));
    auto map = AffineMap::get(static_cast<unsigned>(kept.size()), 0, index,
                              builder.getContext());
    return ScatterOp::create(builder, location, type, ScatterKind::Set,
                             createFilled(builder, location, type, 0), values,
                             ValueRange(), builder.getAffineMapArrayAttr(map),
                             IndexBound::Zero);
  }

  /// `kept` has the first dimension of each iterator; `place` maps every
  /// dimension to the position of its iterator's first dimension in `kept`.
  SmallVector<int64_t> kept, place;
};
} // namespace

LogicalResult ContractOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                   ArrayRef<bool> needed,
                                   MutableArrayRef<Value> gradients) {
  auto space =
      IterationSpace::get(getDomain(), getMaps(), getOperands(), getResult());
  auto element = cast<ShapedType>(getResult().getType()).getElementType();
  for (unsigned wanted = 0; wanted < 2; ++wanted) {
    if (!needed[wanted])
      continue;
    IterationSpace own = *space;
    // The operands are the cotangent and the other factor; the result is the
    // wanted gradient.
    std::swap(own.maps[wanted], own.maps[2]);
    std::swap(own.shapes[wanted], own.shapes[2]);
    const Diagonal diagonal(own.maps[2]);
    own.maps[2] = diagonal.pick(own.maps[2]);
    own.shapes[2] = diagonal.pick(own.shapes[2]);
    const SmallVector<int64_t> shape = own.shapes[2];
    if (failed(reshapeForResult(own)))
      return emitOpError("has no derivative of operand ")
             << wanted << ": its window has no inverse form";
    auto groups = findWindowGroups(own);
    SmallVector<Value, 2> operands(getOperands());
    operands[wanted] = cotangents[0];
    SmallVector<int32_t> bounds;
    for (unsigned i = 0; i < 2; ++i)
      bounds.push_back(static_cast<int32_t>(boundOf(own, i, *groups)));
    auto operandType = cast<RankedTensorType>(getOperand(wanted).getType());
    Value gradient = ContractOp::create(
        builder, getLoc(), operandType.clone(shape, element), operands[0],
        operands[1], own.getDomain(getContext()), own.getMaps(getContext()),
        builder.getDenseI32ArrayAttr(bounds), OrderAttr());
    if (diagonal.isProper())
      gradient = diagonal.spread(builder, getLoc(), operandType.clone(element),
                                 gradient);
    if (operandType.getElementType() != element)
      gradient = ConvertOp::create(builder, getLoc(), operandType, gradient);
    gradients[wanted] = gradient;
  }
  return success();
}
