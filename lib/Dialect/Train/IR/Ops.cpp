// Verifiers of the train ops other than losses, and the interface methods of
// train.stop_gradient.

#include "gensyn/Dialect/Train/IR/Train.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

FailureOr<SmallVector<Tensor>>
StopGradientOp::evaluate(ArrayRef<Tensor> operands) {
  return SmallVector<Tensor>{operands[0]};
}

LogicalResult StopGradientOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                                       MutableArrayRef<Value>) {
  return success();
}

LogicalResult GradientOp::verify() {
  if (getWrt().getTypes() != getGradients().getTypes())
    return emitOpError("gradients do not have the types of the values they are "
                       "taken with respect to");
  return success();
}

/// Checks `types` against the states of `rule`; `what` names them in messages.
static LogicalResult verifyStates(Operation *op, StringRef what,
                                  ArrayRef<OptimizerState> wanted,
                                  TypeRange types) {
  if (wanted.size() != types.size())
    return op->emitOpError("has ") << types.size() << " " << what
                                   << " where the rule has " << wanted.size();
  for (auto [state, type] : llvm::zip_equal(wanted, types))
    if (state.type != type)
      return op->emitOpError(what) << " '" << state.name << "' has type "
                                   << type << ", not " << state.type;
  return success();
}

LogicalResult UpdateOp::verify() {
  Type type = getParameter().getType();
  if (getGradient().getType() != type || getNewParameter().getType() != type)
    return emitOpError("gradient and new parameter do not have the parameter's "
                       "type ")
           << type;
  std::string refusal = getRule().getRefusal(cast<RankedTensorType>(type));
  if (!refusal.empty()) // update_c2
    return emitOpError("parameter ") << refusal;
  auto states = getRule().getStates(cast<RankedTensorType>(type));
  if (failed(verifyStates(*this, "states", states, getStates().getTypes())) ||
      failed(
          verifyStates(*this, "new states", states, getNewStates().getTypes())))
    return failure();
  return verifyStates(*this, "shared states", getRule().getSharedStates(),
                      getShared().getTypes());
}

LogicalResult AdvanceOp::verify() {
  auto states = getRule().getSharedStates();
  if (failed(
          verifyStates(*this, "shared states", states, getShared().getTypes())))
    return failure();
  return verifyStates(*this, "new shared states", states,
                      getNewShared().getTypes());
}
