// Cross-entropy of logits and probabilities (loss_r12).

#include "LossParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

Value SoftTargetCrossEntropyOp::buildLoss(OpBuilder &builder) {
  repro::FormulaBuilder f(builder, getLoc());
  Value logits = getPrediction(), share = getTarget();
  RankedTensorType type = repro::typeOf(logits);
  const int64_t axis = *normalizeAxis(getAxis(), type);
  auto reduce = [&](repro::ReduceKind kind, Value value) {
    return repro::createReduce(builder, getLoc(), kind, value, axis, axis);
  };
  auto overClasses = [&](Value row) {
    return repro::createBroadcast(builder, getLoc(), row, type,
                                  dimsWithout(type, axis));
  };
  // The shift does not change the derivative, so no gradient flows through it.
  Value largest = StopGradientOp::create(
      builder, getLoc(), reduce(repro::ReduceKind::Max, logits));
  Value shifted = f.sub(logits, overClasses(largest));
  Value logSum = f.log(reduce(repro::ReduceKind::Sum, f.exp(shifted)));
  const double smoothing = getLabelSmoothing().convertToDouble();
  if (smoothing != 0.0) {
    share = f.mul(1.0 - smoothing, share);
    share = f.add(share, smoothing / double(type.getDimSize(axis)));
  }
  Value terms = f.mul(share, f.sub(overClasses(logSum), shifted));
  if (auto weight = getWeight())
    terms = f.mul(createClassWeights(builder, getLoc(), *weight, type, axis),
                  terms);
  return reduceAll(f, reduce(repro::ReduceKind::Sum, terms), getReduction());
}

LogicalResult SoftTargetCrossEntropyOp::verify() {
  auto type = cast<RankedTensorType>(getPrediction().getType());
  auto axis = normalizeAxis(getAxis(), type);
  if (!axis)
    return emitOpError("axis ")
           << int64_t(getAxis()) << " is out of range for rank "
           << type.getRank();
  const double smoothing = getLabelSmoothing().convertToDouble();
  if (!(smoothing >= 0.0 && smoothing <= 1.0))
    return emitOpError("label_smoothing ")
           << smoothing << " is not between 0 and 1";
  auto weight = getWeight();
  if (weight && int64_t(weight->size()) != type.getDimSize(*axis))
    return emitOpError("has ") << weight->size() << " weights for "
                               << type.getDimSize(*axis) << " classes";
  if (getReduction() == Reduction::BatchMean)
    return emitOpError("has no reduction batchmean");
  return verifyLossType(*this, getPrediction(), getLoss());
}

FailureOr<RankedTensorType>
SoftTargetCrossEntropyOp::readTargetType(RecipeObject &recipe,
                                         RankedTensorType prediction) {
  if (!readAxis(recipe, prediction))
    return failure();
  return prediction;
}

Value SoftTargetCrossEntropyOp::read(OpBuilder &builder, Location location,
                                     RecipeObject &recipe, Value prediction,
                                     Value target) {
  const int64_t axis = recipe.integer("axis").value_or(-1);
  const double smoothing =
      recipe.number("label_smoothing", 0.0, NumberRange::between(0.0, 1.0));
  DenseF64ArrayAttr weight =
      readClassWeights(builder, recipe, repro::typeOf(prediction), axis);
  return SoftTargetCrossEntropyOp::create(
      builder, location, getLossType(prediction), prediction, target,
      readReduction(recipe), axis, APFloat(smoothing), weight);
}
