// Classification losses (loss_r2, loss_r7).

#include "LossParts.h"
#include "gensyn/Executable/Recipe/Recipe.h"

#include <limits>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

namespace {
/// The options that `softmax_cross_entropy` and `nll` share.
struct ClassOptions {
  Value target;
  Reduction reduction;
  int64_t axis;
  std::optional<int64_t> ignoreIndex;
  /// One number per class, or empty.
  ArrayRef<double> weight;

  template <class Op>
  ClassOptions(Op op, Value scores)
      : target(op.getTarget()), reduction(op.getReduction()),
        axis(*normalizeAxis(op.getAxis(), repro::typeOf(scores))),
        ignoreIndex(op.getIgnoreIndex()) {
    if (auto list = op.getWeight())
      weight = *list;
  }
};

/// Rows of scores, each along the class axis.
class ClassRows {
public:
  ClassRows(OpBuilder &builder, Location location, Value scores,
            const ClassOptions &options)
      : f(builder, location), builder(builder), location(location),
        options(options), type(repro::typeOf(scores)),
        classes(type.getDimSize(options.axis)) {}

  Value overClasses(Value row) {
    auto full = type.clone(repro::typeOf(row).getElementType());
    return repro::createBroadcast(builder, location, row, full,
                                  dimsWithout(type, options.axis));
  }

  Value reduce(repro::ReduceKind kind, Value value) {
    return repro::createReduce(builder, location, kind, value, options.axis,
                               options.axis);
  }

  /// Selects the value of each row's class: a sum with one nonzero term, so
  /// exact. 0 if the target is not a class.
  Value pick(Value full) {
    if (!isTarget) {
      auto number = type.clone(repro::typeOf(options.target).getElementType());
      Value iota = repro::IotaOp::create(
          builder, location, number, builder.getI64IntegerAttr(options.axis));
      isTarget = f.compare(CompareKind::Eq, iota, overClasses(options.target));
    }
    return reduce(repro::ReduceKind::Sum,
                  f.select(isTarget, full, f.fill(full, 0.0)));
  }

  /// Returns the classes' weights, broadcast over all rows; null if there are
  /// none.
  Value getWeights() {
    if (!options.weight.empty() && !weights)
      weights = createClassWeights(builder, location, options.weight, type,
                                   options.axis);
    return weights;
  }

  /// Reduces the losses of all rows. A row whose target is not a class is NaN;
  /// one whose target is ignored does not count.
  Value finish(Value row);

  repro::FormulaBuilder f;

private:
  OpBuilder &builder;
  Location location;
  const ClassOptions &options;
  RankedTensorType type;
  int64_t classes;
  Value isTarget, weights;
};
} // namespace

Value ClassRows::finish(Value row) {
  Value target = options.target;
  Value isFromZero = f.compare(CompareKind::Ge, target, f.integers(target, 0));
  Value isBelowEnd =
      f.compare(CompareKind::Lt, target, f.integers(target, classes));
  Value isClass = f.bitAnd(isFromZero, isBelowEnd);
  row = f.select(isClass, row,
                 f.fill(row, std::numeric_limits<double>::quiet_NaN()));
  Value weight = getWeights() ? pick(getWeights()) : nullptr;
  if (!options.ignoreIndex && !weight)
    return reduceAll(f, row, options.reduction);

  Value counts;
  if (options.ignoreIndex) {
    counts = f.compare(CompareKind::Ne, target,
                       f.integers(target, *options.ignoreIndex));
    Value zero = f.fill(row, 0.0);
    row = f.select(counts, row, zero);
    if (weight)
      weight = f.select(counts, weight, zero);
  }
  Value sum = f.sum(row);
  if (options.reduction == Reduction::Sum)
    return sum;
  if (weight)
    return f.div(sum, f.sum(weight));
  Value count = f.sum(f.convert(counts, builder.getI64Type()));
  return f.div(sum, f.convert(count, type.getElementType()));
}

Value SoftmaxCrossEntropyOp::buildLoss(OpBuilder &builder) {
  Value logits = getLogits();
  ClassOptions options(*this, logits);
  ClassRows rows(builder, getLoc(), logits, options);
  repro::FormulaBuilder &f = rows.f;
  // The shift does not change the derivative, so no gradient flows through it.
  Value largest = StopGradientOp::create(
      builder, getLoc(), rows.reduce(repro::ReduceKind::Max, logits));
  Value shifted = f.sub(logits, rows.overClasses(largest));
  Value logSum = f.log(rows.reduce(repro::ReduceKind::Sum, f.exp(shifted)));
  Value row = f.sub(logSum, rows.pick(shifted));
  Value weights = rows.getWeights();
  if (weights)
    row = f.mul(rows.pick(weights), row);
  double smoothing = getLabelSmoothing().convertToDouble();
  if (smoothing != 0.0) {
    auto classes =
        static_cast<double>(repro::typeOf(logits).getDimSize(options.axis));
    Value all = f.sub(rows.overClasses(logSum), shifted);
    if (weights)
      all = f.mul(weights, all);
    all = rows.reduce(repro::ReduceKind::Sum, all);
    row = f.mul(1.0 - smoothing, row);
    row = f.add(row, f.mul(smoothing / classes, all));
  }
  return rows.finish(row);
}

Value NllOp::buildLoss(OpBuilder &builder) {
  ClassOptions options(*this, getPrediction());
  ClassRows rows(builder, getLoc(), getPrediction(), options);
  Value row = rows.f.neg(rows.pick(getPrediction()));
  if (Value weights = rows.getWeights())
    row = rows.f.mul(rows.pick(weights), row);
  return rows.finish(row);
}

template <class Op> static LogicalResult verifyClassLoss(Op op, Value scores) {
  auto type = cast<RankedTensorType>(scores.getType());
  auto axis = normalizeAxis(op.getAxis(), type);
  if (!axis)
    return op.emitOpError("axis ")
           << int64_t(op.getAxis()) << " is out of range for rank "
           << type.getRank();
  SmallVector<int64_t> rows(type.getShape());
  rows.erase(rows.begin() + *axis);
  auto target = cast<RankedTensorType>(op.getTarget().getType());
  if (target.getShape() != ArrayRef<int64_t>(rows))
    return op.emitOpError("target has type ")
           << target << ", not " << target.clone(rows);
  auto weight = op.getWeight();
  if (weight && int64_t(weight->size()) != type.getDimSize(*axis))
    return op.emitOpError("has ") << weight->size() << " weights for "
                                  << type.getDimSize(*axis) << " classes";
  if (op.getReduction() == Reduction::BatchMean)
    return op.emitOpError("has no reduction batchmean");
  return verifyLossType(op, scores, op.getLoss());
}

LogicalResult SoftmaxCrossEntropyOp::verify() {
  double smoothing = getLabelSmoothing().convertToDouble();
  if (!(smoothing >= 0.0 && smoothing <= 1.0))
    return emitOpError("label_smoothing ")
           << smoothing << " is not between 0 and 1";
  return verifyClassLoss(*this, getLogits());
}

LogicalResult NllOp::verify() {
  return verifyClassLoss(*this, getPrediction());
}

static FailureOr<RankedTensorType> readClassTarget(RecipeObject &recipe,
                                                   RankedTensorType scores) {
  auto axis = readAxis(recipe, scores);
  if (!axis)
    return failure();
  SmallVector<int64_t> shape(scores.getShape());
  shape.erase(shape.begin() + *axis);
  return RankedTensorType::get(shape,
                               IntegerType::get(recipe.getContext(), 64));
}

/// Sets the options that both kinds share; `op` has the scores and the target
/// already.
template <class Op>
static Value readClassLoss(OpBuilder &builder, RecipeObject &recipe,
                           RankedTensorType scores, Op op) {
  op.setReduction(readReduction(recipe));
  op.setAxis(recipe.integer("axis").value_or(-1));
  op.setIgnoreIndex(
      recipe.integer("ignore_index").value_or(kDefaultIgnoreIndex));
  if (auto weight = readClassWeights(builder, recipe, scores, op.getAxis()))
    op.setWeightAttr(weight);
  return op.getLoss();
}

FailureOr<RankedTensorType>
SoftmaxCrossEntropyOp::readTargetType(RecipeObject &recipe,
                                      RankedTensorType prediction) {
  return readClassTarget(recipe, prediction);
}

Value SoftmaxCrossEntropyOp::read(OpBuilder &builder, Location location,
                                  RecipeObject &recipe, Value prediction,
                                  Value target) {
  auto op = SoftmaxCrossEntropyOp::create(
      builder, location, getLossType(prediction), prediction, target,
      Reduction::Mean, /*axis=*/-1, IntegerAttr(), APFloat(0.0),
      DenseF64ArrayAttr());
  op.setLabelSmoothing(APFloat(
      recipe.number("label_smoothing", 0.0, NumberRange::between(0.0, 1.0))));
  return readClassLoss(builder, recipe, repro::typeOf(prediction), op);
}

FailureOr<RankedTensorType> NllOp::readTargetType(RecipeObject &recipe,
                                                  RankedTensorType prediction) {
  return readClassTarget(recipe, prediction);
}

Value NllOp::read(OpBuilder &builder, Location location, RecipeObject &recipe,
                  Value prediction, Value target) {
  auto op = NllOp::create(builder, location, getLossType(prediction),
                          prediction, target, Reduction::Mean, /*axis=*/-1,
                          IntegerAttr(), DenseF64ArrayAttr());
  return readClassLoss(builder, recipe, repro::typeOf(prediction), op);
}
