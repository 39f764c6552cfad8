// What the losses are, in repro ops (loss_r1 to loss_r6).

#include "FormulaBuilder.h"
#include "gensyn/Dialect/Train/IR/Train.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

// The sum of all rows or elements; for a mean divided by how many there are
// (loss_r1).
static Value reduceAll(FormulaBuilder &f, Value value, Reduction reduction) {
  Value sum = f.sum(value);
  if (reduction == Reduction::Sum)
    return sum;
  return f.div(sum, double(FormulaBuilder::typeOf(value).getNumElements()));
}

Value SoftmaxCrossEntropyOp::buildLoss(OpBuilder &builder) {
  FormulaBuilder f(builder, getLoc());
  Value logits = getLogits(), target = getTarget();
  RankedTensorType type = FormulaBuilder::typeOf(logits);
  int64_t axis = getClassAxis(), classes = type.getDimSize(axis);
  SmallVector<int64_t> rows(type.getRank());
  std::iota(rows.begin(), rows.end(), 0);
  rows.erase(rows.begin() + axis);
  auto overClasses = [&](Value row) {
    RankedTensorType full =
        type.clone(FormulaBuilder::typeOf(row).getElementType());
    return repro::createBroadcast(builder, getLoc(), row, full, rows);
  };
  auto reduce = [&](repro::ReduceKind kind, Value value) {
    return repro::createReduce(builder, getLoc(), kind, value, axis, axis);
  };

  // The shift changes no derivative, so none is taken of it.
  Value largest = StopGradientOp::create(
      builder, getLoc(), reduce(repro::ReduceKind::Max, logits));
  Value shifted = f.sub(logits, overClasses(largest));
  Value logSum = f.log(reduce(repro::ReduceKind::Sum, f.exp(shifted)));

  // One class per row is picked by comparison: a sum with one term is exact.
  auto classType = type.clone(FormulaBuilder::typeOf(target).getElementType());
  Value number = repro::IotaOp::create(builder, getLoc(), classType,
                                       builder.getI64IntegerAttr(axis));
  Value isTarget = f.compare(CompareKind::Eq, number, overClasses(target));
  Value picked = reduce(repro::ReduceKind::Sum,
                        f.select(isTarget, shifted, f.fill(shifted, 0.0)));
  Value row = f.sub(logSum, picked);

  double smoothing = getLabelSmoothing().convertToDouble();
  if (smoothing != 0.0) {
    Value all =
        reduce(repro::ReduceKind::Sum, f.sub(overClasses(logSum), shifted));
    row = f.add(f.mul(1.0 - smoothing, row),
                f.mul(smoothing / double(classes), all));
  }

  Value isClass =
      f.bitAnd(f.compare(CompareKind::Ge, target, f.integers(target, 0)),
               f.compare(CompareKind::Lt, target, f.integers(target, classes)));
  row = f.select(isClass, row,
                 f.fill(row, std::numeric_limits<double>::quiet_NaN()));
  if (!getIgnoreIndex())
    return reduceAll(f, row, getReduction());

  Value counts =
      f.compare(CompareKind::Ne, target, f.integers(target, *getIgnoreIndex()));
  Value sum = f.sum(f.select(counts, row, f.fill(row, 0.0)));
  if (getReduction() == Reduction::Sum)
    return sum;
  Value count = f.sum(f.convert(counts, builder.getI64Type()));
  return f.div(sum, f.convert(count, type.getElementType()));
}

Value MseOp::buildLoss(OpBuilder &builder) {
  FormulaBuilder f(builder, getLoc());
  Value difference = f.sub(getPrediction(), getTarget());
  return reduceAll(f, f.mul(difference, difference), getReduction());
}

Value L1Op::buildLoss(OpBuilder &builder) {
  FormulaBuilder f(builder, getLoc());
  Value difference = f.sub(getPrediction(), getTarget());
  return reduceAll(f, f.abs(difference), getReduction());
}

Value HuberOp::buildLoss(OpBuilder &builder) {
  FormulaBuilder f(builder, getLoc());
  double delta = getDelta().convertToDouble();
  Value distance = f.abs(f.sub(getPrediction(), getTarget()));
  Value near = f.compare(CompareKind::Lt, distance, delta);
  // Each side sees only arguments that are its own, so that the gradient of the
  // other one is 0 times something finite.
  Value zero = f.fill(distance, 0.0);
  Value small = f.select(near, distance, zero);
  Value squared = f.mul(f.mul(0.5, small), small);
  Value linear = f.mul(delta, f.sub(distance, f.fill(distance, 0.5 * delta)));
  return reduceAll(f, f.select(near, squared, linear), getReduction());
}

Value BceWithLogitsOp::buildLoss(OpBuilder &builder) {
  FormulaBuilder f(builder, getLoc());
  Value logit = getPrediction();
  // Both kinks lie at 0 and on the same side, so that their derivatives add up
  // to sigmoid(0) there.
  Value positive = f.compare(CompareKind::Gt, logit, 0.0);
  Value above = f.select(positive, logit, f.fill(logit, 0.0));
  Value minusMagnitude = f.select(positive, f.neg(logit), logit);
  Value element = f.add(f.sub(above, f.mul(logit, getTarget())),
                        f.log1p(f.exp(minusMagnitude)));
  return reduceAll(f, element, getReduction());
}
