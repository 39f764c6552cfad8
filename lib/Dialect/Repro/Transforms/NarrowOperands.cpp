// Lets contractions widen the integers that they read.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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

/// Returns the value before it was widened, in its shape; null if it was not.
Value narrow(OpBuilder &builder, Value operand) {
  Value value = operand;
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
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
