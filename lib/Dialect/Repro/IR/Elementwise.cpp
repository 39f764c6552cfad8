// Elementwise ops: builders, inference and identities.

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location>,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &types) {
  auto type = dyn_cast<RankedTensorType>(operands[0].getType());
  if (!type)
    return failure();
  types.push_back(type.clone(IntegerType::get(context, 1)));
  return success();
}

void SelectOp::build(OpBuilder &, OperationState &state, Value predicate,
                     Value lhs, Value rhs) {
  state.addOperands({predicate, lhs, rhs});
  state.addTypes(lhs.getType());
}

void ConvertOp::build(OpBuilder &builder, OperationState &state, Type result,
                      Value operand) {
  build(builder, state, result, operand, /*saturate=*/false,
        /*round=*/ScaleRoundingAttr());
}

// The two enumerations have the same values.
static_assert(int(ScaleRounding::Nearest) == int(PowerRounding::Nearest) &&
              int(ScaleRounding::Up) == int(PowerRounding::Up) &&
              int(ScaleRounding::Down) == int(PowerRounding::Down));

Narrowing repro::getNarrowing(ConvertOp op) {
  return {op.getSaturate(), static_cast<PowerRounding>(op.getRound().value_or(
                                ScaleRounding::Nearest))};
}

ScaleRounding repro::getScaleRounding(PowerRounding rounding) {
  return static_cast<ScaleRounding>(rounding);
}

// Not for floats: a conversion makes NaNs canonical (g4).
OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() &&
                 isa<IntegerType>(getType().getElementType())
             ? getOperand()
             : OpFoldResult();
}

/// convert_c1: the flags match the types.
LogicalResult ConvertOp::verify() {
  Type to = cast<ShapedType>(getType()).getElementType();
  if (getSaturate() && (!isa<FloatType>(to) || to.getIntOrFloatBitWidth() != 8))
    return emitOpError("saturates to 8-bit floats only, not to ") << to;
  if (getRound() && !isa<Float8E8M0FNUType>(to))
    return emitOpError("rounds by a kind to f8E8M0FNU only, not to ") << to;
  return success();
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() ? getOperand() : OpFoldResult();
}

/// bitcast_c1.
LogicalResult BitcastOp::verify() {
  Type from = cast<ShapedType>(getOperand().getType()).getElementType();
  Type to = cast<ShapedType>(getType()).getElementType();
  if (from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return emitOpError("from ") << from << " to " << to << " changes the width";
  return success();
}
