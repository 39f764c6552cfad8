// Verifiers of the train ops, and train.stop_gradient's two answers.

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

/// Checks `types` against what `rule` wants; `what` names them in messages.
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

int64_t SoftmaxCrossEntropyOp::getClassAxis() {
  int64_t rank = cast<RankedTensorType>(getLogits().getType()).getRank();
  int64_t axis = getAxis();
  return axis < 0 ? axis + rank : axis;
}

/// A loss has rank 0 and the element type of what it is taken of.
static LogicalResult verifyLoss(Operation *op, Value of, Value loss) {
  auto type = cast<RankedTensorType>(of.getType());
  auto wanted = RankedTensorType::get({}, type.getElementType());
  if (loss.getType() != wanted)
    return op->emitOpError("loss has type ")
           << loss.getType() << ", not " << wanted;
  return success();
}

LogicalResult SoftmaxCrossEntropyOp::verify() {
  auto type = cast<RankedTensorType>(getLogits().getType());
  int64_t axis = getClassAxis();
  if (axis < 0 || axis >= type.getRank())
    return emitOpError("axis ")
           << int64_t(getAxis()) << " is out of range for rank "
           << type.getRank();
  SmallVector<int64_t> rows(type.getShape());
  rows.erase(rows.begin() + axis);
  auto target = cast<RankedTensorType>(getTarget().getType());
  if (target.getShape() != ArrayRef<int64_t>(rows))
    return emitOpError("target has type ")
           << target << ", not " << target.clone(rows);
  double smoothing = getLabelSmoothing().convertToDouble();
  if (!(smoothing >= 0.0 && smoothing <= 1.0))
    return emitOpError("label_smoothing ")
           << smoothing << " is not between 0 and 1";
  return verifyLoss(*this, getLogits(), getLoss());
}

LogicalResult MseOp::verify() {
  return verifyLoss(*this, getPrediction(), getLoss());
}
LogicalResult L1Op::verify() {
  return verifyLoss(*this, getPrediction(), getLoss());
}
LogicalResult BceWithLogitsOp::verify() {
  return verifyLoss(*this, getPrediction(), getLoss());
}
LogicalResult HuberOp::verify() {
  if (!(getDelta().convertToDouble() > 0.0))
    return emitOpError("delta ")
           << getDelta().convertToDouble() << " is not above 0";
  return verifyLoss(*this, getPrediction(), getLoss());
}
