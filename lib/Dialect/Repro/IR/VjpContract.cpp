// The derivative of a contraction is a contraction: the same maps with another
// one as the result, window groups brought into the shape that it needs.

#include "WindowGroups.h"

using namespace mlir;
using namespace gensyn::repro;

/// What a read outside the tensor means in a derivative: a tap off the lattice
/// (s' t + r past the last one) is left out, any other contributes zero.
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
    // Operands: the cotangent, then the other factor; the result: the wanted.
    std::swap(own.maps[wanted], own.maps[2]);
    std::swap(own.shapes[wanted], own.shapes[2]);
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
        builder, getLoc(), operandType.clone(element), operands[0], operands[1],
        own.getDomain(getContext()), own.getMaps(getContext()),
        builder.getDenseI32ArrayAttr(bounds), OrderAttr());
    if (operandType.getElementType() != element)
      gradient = ConvertOp::create(builder, getLoc(), operandType, gradient);
    gradients[wanted] = gradient;
  }
  return success();
}
