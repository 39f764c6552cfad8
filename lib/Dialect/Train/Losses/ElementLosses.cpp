// Losses that are sums over elements (loss_r3 to loss_r6, loss_r8, loss_r9).

#include "LossParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

/// An op whose only option is its reduction.
template <class Op>
static Value readPlain(OpBuilder &builder, Location location,
                       RecipeObject &recipe, Value prediction, Value target) {
  return Op::create(builder, location, getLossType(prediction), prediction,
                    target, readReduction(recipe));
}

Value MseOp::buildLoss(OpBuilder &builder) {
  repro::FormulaBuilder f(builder, getLoc());
  Value difference = f.sub(getPrediction(), getTarget());
  return reduceAll(f, f.mul(difference, difference), getReduction());
}

LogicalResult MseOp::verify() {
  return verifyLossType(*this, getPrediction(), getLoss());
}

Value MseOp::read(OpBuilder &builder, Location location, RecipeObject &recipe,
                  Value prediction, Value target) {
  return readPlain<MseOp>(builder, location, recipe, prediction, target);
}

Value L1Op::buildLoss(OpBuilder &builder) {
  repro::FormulaBuilder f(builder, getLoc());
  Value difference = f.sub(getPrediction(), getTarget());
  return reduceAll(f, f.abs(difference), getReduction());
}

LogicalResult L1Op::verify() {
  return verifyLossType(*this, getPrediction(), getLoss());
}

Value L1Op::read(OpBuilder &builder, Location location, RecipeObject &recipe,
                 Value prediction, Value target) {
  return readPlain<L1Op>(builder, location, recipe, prediction, target);
}

namespace {
/// Selects the quadratic part of a distance loss. Distances elsewhere are 0, so
/// that the gradient of the part that is not selected is 0 times a finite
/// number.
struct NearSide {
  Value distance, isNear, near;

  NearSide(repro::FormulaBuilder &f, Value prediction, Value target,
           double limit)
      : distance(f.abs(f.sub(prediction, target))),
        isNear(f.compare(CompareKind::Lt, distance, limit)),
        near(f.select(isNear, distance, f.fill(distance, 0.0))) {}
};
} // namespace

Value HuberOp::buildLoss(OpBuilder &builder) {
  repro::FormulaBuilder f(builder, getLoc());
  double delta = getDelta().convertToDouble();
  NearSide side(f, getPrediction(), getTarget(), delta);
  Value squared = f.mul(f.mul(0.5, side.near), side.near);
  Value linear = f.mul(delta, f.sub(side.distance, 0.5 * delta));
  return reduceAll(f, f.select(side.isNear, squared, linear), getReduction());
}

LogicalResult HuberOp::verify() {
  if (!(getDelta().convertToDouble() > 0.0))
    return emitOpError("delta ")
           << getDelta().convertToDouble() << " is not above 0";
  return verifyLossType(*this, getPrediction(), getLoss());
}

Value HuberOp::read(OpBuilder &builder, Location location, RecipeObject &recipe,
                    Value prediction, Value target) {
  double delta = recipe.number("delta", 1.0, NumberRange::above(0.0));
  return HuberOp::create(builder, location, getLossType(prediction), prediction,
                         target, readReduction(recipe), APFloat(delta));
}

Value SmoothL1Op::buildLoss(OpBuilder &builder) {
  repro::FormulaBuilder f(builder, getLoc());
  double beta = getBeta().convertToDouble();
  if (beta == 0.0) {
    Value distance = f.abs(f.sub(getPrediction(), getTarget()));
    return reduceAll(f, distance, getReduction());
  }
  NearSide side(f, getPrediction(), getTarget(), beta);
  Value squared = f.div(f.mul(f.mul(0.5, side.near), side.near), beta);
  Value linear = f.sub(side.distance, 0.5 * beta);
  return reduceAll(f, f.select(side.isNear, squared, linear), getReduction());
}

LogicalResult SmoothL1Op::verify() {
  if (!(getBeta().convertToDouble() >= 0.0))
    return emitOpError("beta ")
           << getBeta().convertToDouble() << " is not at least 0";
  return verifyLossType(*this, getPrediction(), getLoss());
}

Value SmoothL1Op::read(OpBuilder &builder, Location location,
                       RecipeObject &recipe, Value prediction, Value target) {
  double beta = recipe.number("beta", 1.0, kNotNegative);
  return SmoothL1Op::create(builder, location, getLossType(prediction),
                            prediction, target, readReduction(recipe),
                            APFloat(beta));
}

/// A single weight, or one for each element of the last dimension.
static Value spreadWeight(OpBuilder &builder, Location location, Value like,
                          ArrayRef<double> weight) {
  RankedTensorType type = repro::typeOf(like);
  if (weight.size() == 1)
    return repro::createFilled(builder, location, type, weight.front());
  auto list =
      RankedTensorType::get({int64_t(weight.size())}, type.getElementType());
  SmallVector<Attribute> numbers;
  for (double number : weight)
    numbers.push_back(builder.getFloatAttr(type.getElementType(), number));
  Value constant = repro::ConstantOp::create(
      builder, location, list, DenseElementsAttr::get(list, numbers));
  return repro::createBroadcast(builder, location, constant, type,
                                {type.getRank() - 1});
}

Value BceWithLogitsOp::buildLoss(OpBuilder &builder) {
  repro::FormulaBuilder f(builder, getLoc());
  Value logit = getPrediction(), zero = f.fill(logit, 0.0);
  // Both kinks are at 0 and on the same side, so their derivatives add up to
  // that of a sigmoid there.
  Value positive = f.compare(CompareKind::Gt, logit, 0.0);
  Value minusMagnitude = f.select(positive, f.neg(logit), logit);
  if (!getPosWeight()) {
    Value above = f.select(positive, logit, zero);
    Value linear = f.sub(above, f.mul(logit, getTarget()));
    Value element = f.add(linear, f.log1p(f.exp(minusMagnitude)));
    return reduceAll(f, element, getReduction());
  }
  Value below = f.select(positive, zero, f.neg(logit));
  Value weight = spreadWeight(builder, getLoc(), logit, *getPosWeight());
  Value share = f.add(f.mul(f.sub(weight, 1.0), getTarget()), 1.0);
  Value negative = f.mul(f.sub(1.0, getTarget()), logit);
  Value soft = f.add(f.log1p(f.exp(minusMagnitude)), below);
  Value element = f.add(negative, f.mul(share, soft));
  return reduceAll(f, element, getReduction());
}

LogicalResult BceWithLogitsOp::verify() {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(getPrediction().getType()).getShape();
  auto weight = getPosWeight();
  if (weight && weight->size() != 1 &&
      (shape.empty() || int64_t(weight->size()) != shape.back()))
    return emitOpError("has ") << weight->size()
                               << " weights, neither one nor as many as the "
                                  "last dimension has elements";
  return verifyLossType(*this, getPrediction(), getLoss());
}

Value BceWithLogitsOp::read(OpBuilder &builder, Location location,
                            RecipeObject &recipe, Value prediction,
                            Value target) {
  auto op = BceWithLogitsOp::create(builder, location, getLossType(prediction),
                                    prediction, target, readReduction(recipe),
                                    DenseF64ArrayAttr());
  std::vector<double> weight = recipe.numbers("pos_weight", kNotNegative);
  ArrayRef<int64_t> shape = repro::typeOf(prediction).getShape();
  int64_t columns = shape.empty() ? 1 : shape.back();
  if (!recipe.failed() && weight.size() > 1 &&
      int64_t(weight.size()) != columns)
    recipe.error() << "'pos_weight' has " << weight.size()
                   << " numbers; one is wanted, or " << columns
                   << " as the last dimension has";
  if (!weight.empty())
    op.setPosWeight(weight);
  return op.getLoss();
}

// The value has clamped logarithms, but the gradient is PyTorch's: (p - t) /
// max((1 - p) p, 1e-12). So no gradient flows through the value, and (p - p)
// times that slope is added, which changes no value.
Value BceOp::buildLoss(OpBuilder &builder) {
  repro::FormulaBuilder f(builder, getLoc());
  Value target = getTarget();
  auto stop = [&](Value value) -> Value {
    return StopGradientOp::create(builder, getLoc(), value.getType(), value);
  };
  constexpr double leastLog = -100.0, leastSlope = 1e-12F; // an f32 in PyTorch
                                                           // too
  Value fixed = stop(getPrediction());
  Value log = f.max(f.log(fixed), leastLog);
  Value logOfRest = f.max(f.log1p(f.neg(fixed)), leastLog);
  Value negative = f.mul(f.sub(target, 1.0), logOfRest);
  Value value = f.sub(negative, f.mul(target, log));
  Value spread = f.max(f.mul(f.sub(1.0, fixed), fixed), leastSlope);
  Value slope = stop(f.div(f.sub(fixed, target), spread));
  Value element = f.add(value, f.mul(f.sub(getPrediction(), fixed), slope));
  return reduceAll(f, element, getReduction());
}

LogicalResult BceOp::verify() {
  return verifyLossType(*this, getPrediction(), getLoss());
}

Value BceOp::read(OpBuilder &builder, Location location, RecipeObject &recipe,
                  Value prediction, Value target) {
  return readPlain<BceOp>(builder, location, recipe, prediction, target);
}
