// Lets contractions widen the integers that they read.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-narrow-operands"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_NARROWOPERANDSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// True for integers, but no truth values, and a type that has all their values
/// and their signedness (contract_c1).
bool widens(Type from, Type to) {
  return isa<IntegerType>(from) && isa<IntegerType>(to) && !from.isInteger(1) &&
         from.isUnsignedInteger() == to.isUnsignedInteger() &&
         from.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth();
}

/// A constant with the least width that has its elements; null if it has it.
/// Small weights were widened when the program was made.
Value narrowConstant(OpBuilder &builder, Location location,
                     DenseIntElementsAttr elements) {
  const auto type = cast<IntegerType>(elements.getElementType());
  for (unsigned width : {8U, 16U}) {
    if (width >= type.getWidth() || type.isInteger(1))
      return {};
    if (!llvm::all_of(elements, [&](const llvm::APInt &value) {
          return type.isUnsigned() ? value.isIntN(width)
                                   : value.isSignedIntN(width);
        }))
      continue;
    const Type narrow =
        IntegerType::get(type.getContext(), width, type.getSignedness());
    return ConstantOp::create(
        builder, location,
        elements.mapValues(narrow, [&](const llvm::APInt &value) {
          return value.trunc(width);
        }));
  }
  return {};
}

/// Returns the value before it was widened, in its shape; null if it was not.
Value narrow(OpBuilder &builder, Value operand) {
  Value value = operand;
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  DenseIntElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements))) {
    Value constant = narrowConstant(builder, operand.getLoc(), elements);
    return constant ? createReshape(builder, operand.getLoc(), constant,
                                    shapeOf(operand))
                    : Value();
  }
  auto convert = value.getDefiningOp<ConvertOp>();
  if (!convert || !widens(getElementTypeOrSelf(convert.getOperand()),
                          getElementTypeOrSelf(convert)))
    return {};
  return createReshape(builder, operand.getLoc(), convert.getOperand(),
                       shapeOf(operand));
}

struct NarrowOperands final : impl::NarrowOperandsPassBase<NarrowOperands> {
  using NarrowOperandsPassBase::NarrowOperandsPassBase;

  void runOnOperation() override {
    getOperation().walk([&](ContractOp contract) {
      OpBuilder builder(contract);
      for (OpOperand &operand : contract->getOpOperands())
        if (Value value = narrow(builder, operand.get())) {
          LDBG() << "narrows an operand of a contraction at "
                 << contract.getLoc();
          operand.set(value);
        }
    });
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
