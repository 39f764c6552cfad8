// Losses between distributions or directions (loss_r10, loss_r11).

#include "LossParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

Value KlDivOp::buildLoss(OpBuilder &builder) {
  repro::FormulaBuilder f(builder, getLoc());
  Value prediction = getPrediction(), target = getTarget(), element;
  if (getLogTarget()) {
    Value share = f.exp(target);
    element = f.mul(share, f.sub(target, prediction));
  } else {
    // 0 log 0 is 0: for a target of 0, the logarithm of 1 is computed.
    Value isZero = f.compare(CompareKind::Eq, target, 0.0);
    Value safe = f.select(isZero, f.fill(target, 1.0), target);
    Value own = f.mul(target, f.log(safe));
    element = f.sub(own, f.mul(target, prediction));
  }
  return reduceAll(f, element, getReduction());
}

LogicalResult KlDivOp::verify() {
  return verifyLossType(*this, getPrediction(), getLoss());
}

Value KlDivOp::read(OpBuilder &builder, Location location, RecipeObject &recipe,
                    Value prediction, Value target) {
  auto op =
      KlDivOp::create(builder, location, getLossType(prediction), prediction,
                      target, readReduction(recipe, /*ofBatch=*/true));
  op.setLogTarget(recipe.flag("log_target", false));
  return op.getLoss();
}

Value CosineOp::buildLoss(OpBuilder &builder) {
  repro::FormulaBuilder f(builder, getLoc());
  auto type = repro::typeOf(getPrediction());
  int64_t axis = *normalizeAxis(getAxis(), type);
  double eps = getEps().convertToDouble();
  auto dot = [&](Value a, Value b) {
    return repro::createReduce(builder, getLoc(), repro::ReduceKind::Sum,
                               f.mul(a, b), axis, axis);
  };
  // PyTorch's norm: bounded below by eps, with the derivative of the unbounded
  // norm, 0 for a vector of zeros.
  auto norm = [&](Value value) {
    Value square = dot(value, value), zero = f.fill(square, 0.0);
    Value isZero = f.compare(CompareKind::Eq, square, zero);
    Value root = f.sqrt(f.select(isZero, f.fill(square, 1.0), square));
    Value length = f.select(isZero, zero, root);
    Value missing = f.sub(f.max(length, eps), length);
    return f.add(length, StopGradientOp::create(builder, getLoc(),
                                                missing.getType(), missing));
  };
  Value product = dot(getPrediction(), getTarget());
  Value ofPrediction = norm(getPrediction());
  Value ofTarget = norm(getTarget());
  Value cosine = f.div(product, f.mul(ofPrediction, ofTarget));
  return reduceAll(f, f.sub(1.0, cosine), getReduction(), getPrediction());
}

LogicalResult CosineOp::verify() {
  auto type = cast<RankedTensorType>(getPrediction().getType());
  if (!normalizeAxis(getAxis(), type))
    return emitOpError("axis ")
           << int64_t(getAxis()) << " is out of range for rank "
           << type.getRank();
  if (!(getEps().convertToDouble() >= 0.0))
    return emitOpError("eps ")
           << getEps().convertToDouble() << " is not at least 0";
  return verifyLossType(*this, getPrediction(), getLoss());
}

FailureOr<RankedTensorType>
CosineOp::readTargetType(RecipeObject &recipe, RankedTensorType prediction) {
  if (!readAxis(recipe, prediction))
    return failure();
  return prediction;
}

Value CosineOp::read(OpBuilder &builder, Location location,
                     RecipeObject &recipe, Value prediction, Value target) {
  double eps = recipe.number("eps", 1e-8, kNotNegative);
  int64_t axis = recipe.integer("axis").value_or(-1);
  return CosineOp::create(builder, location, getLossType(prediction),
                          prediction, target, readReduction(recipe), axis,
                          APFloat(eps));
}
