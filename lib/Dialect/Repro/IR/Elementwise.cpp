// Elementwise ops: builders, inference and identities.

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
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

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() ? getOperand() : OpFoldResult();
}
