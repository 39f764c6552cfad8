// Adafactor in PyTorch's form (optimizer_r15).

#include "../IR/RuleNumbers.h"
#include "RuleParts.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

OptimizerRuleInterface AdafactorAttr::read(RecipeObject &recipe) {
  auto [eps1, eps2] = recipe.pair("eps", {-1.0, 1e-3}, kNotNegative);
  Builder builder(recipe.getContext());
  return getChecked(
      [&] { return recipe.error(); }, recipe.getContext(),
      recipe.numberAttr("beta2_decay", -0.8, NumberRange{.high = 0.0}),
      builder.getF64FloatAttr(eps1), builder.getF64FloatAttr(eps2),
      recipe.numberAttr("d", 1.0, NumberRange::atLeast(1.0)),
      recipe.numberAttr("weight_decay", 0.0, kNotNegative));
}

LogicalResult AdafactorAttr::verify(EmitError emitError, FloatAttr beta2Decay,
                                    FloatAttr eps1, FloatAttr eps2, FloatAttr d,
                                    FloatAttr weightDecay) {
  if (!(number(beta2Decay) <= 0.0) || !std::isfinite(number(beta2Decay)))
    return emitError() << "beta2_decay " << number(beta2Decay) << " is above 0";
  if (!(number(d) >= 1.0))
    return emitError() << "d " << number(d) << " is below 1";
  if (failed(checkFinite(emitError, {{"eps1", eps1}, {"d", d}})))
    return failure();
  return checkNotNegative(emitError,
                          {{"eps2", eps2}, {"weight_decay", weightDecay}});
}

/// Returns `shape` without the dimension `dim` from the end, or with extent 1
/// there.
static SmallVector<int64_t> without(ArrayRef<int64_t> shape, size_t dim,
                                    bool keep) {
  SmallVector<int64_t> result(shape);
  auto place = result.end() - dim;
  if (keep)
    *place = 1;
  else
    result.erase(place);
  return result;
}

SmallVector<OptimizerState>
AdafactorAttr::getStates(RankedTensorType type) const {
  if (type.getRank() < 2)
    return {{"variance", type}};
  return {{"row_var", type.clone(without(type.getShape(), 1, true))},
          {"col_var", type.clone(without(type.getShape(), 2, true))}};
}

/// Rows and columns of a matrix are treated alike.
StorageFreedom AdafactorAttr::getStorageFreedom() const {
  return StorageFreedom::Transposition;
}

SmallVector<OptimizerState> AdafactorAttr::getSharedStates() const {
  return {sharedNumber(getContext(), "step", 0.0)};
}

SmallVector<Value> AdafactorAttr::buildAdvance(repro::FormulaBuilder &f,
                                               ValueRange shared) const {
  return {f.add(shared[0], 1.0)};
}

namespace {
/// The formulas of one parameter, in the order of torch.optim's.
class AdafactorStep {
public:
  AdafactorStep(repro::FormulaBuilder &f, AdafactorAttr rule, Value gradient,
                Value step)
      : f(f), builder(f.getBuilder()), location(f.getLocation()), rule(rule),
        gradient(gradient), type(repro::typeOf(gradient)), step(step) {
    // t^beta2_decay: not a product of previous values.
    weight = f.exp(f.mul(number(rule.getBeta2Decay()), f.log(step)));
    double epsilon = type.getElementType().isF32()
                         ? std::numeric_limits<float>::epsilon()
                         : std::numeric_limits<double>::epsilon();
    double eps1 = number(rule.getEps1());
    leastVariance = eps1 < 0.0 ? epsilon : eps1;
    rootCount = std::sqrt(static_cast<double>(type.getNumElements()));
  }

  /// Returns the new states; sets `estimate`.
  SmallVector<Value> buildVariance(ValueRange states);
  /// Returns the new parameter.
  Value buildChange(Value parameter, Value rate);

private:
  /// Returns the mean over the dimension `dim` from the end, which is dropped.
  Value mean(Value value, int64_t dim) {
    int64_t place = repro::typeOf(value).getRank() - dim;
    Value sum = repro::createReduce(builder, location, repro::ReduceKind::Sum,
                                    value, place, place);
    return f.div(sum,
                 static_cast<double>(repro::typeOf(value).getDimSize(place)));
  }
  /// Interpolates from `mean` to `value` by `weight`. The weight is 1 only at
  /// the first step, where `mean` is 0.
  Value blend(Value mean, Value value) {
    Value share = f.convertAndSpread(weight, mean);
    return f.fma(share, f.sub(value, mean), mean);
  }
  /// Returns `value` broadcast along the dimension `dim` from the end.
  Value repeat(Value value, int64_t dim) {
    SmallVector<int64_t> dims;
    for (int64_t i = 0, rank = type.getRank(); i < rank; ++i)
      if (i != rank - dim)
        dims.push_back(i);
    return repro::createBroadcast(builder, location, value, type, dims);
  }
  Value widened(Value scalar) {
    return f.convert(scalar, builder.getF64Type());
  }

  repro::FormulaBuilder &f;
  OpBuilder &builder;
  Location location;
  AdafactorAttr rule;
  Value gradient;
  RankedTensorType type;
  Value step, weight, estimate;
  double leastVariance, rootCount;
};
} // namespace

SmallVector<Value> AdafactorStep::buildVariance(ValueRange states) {
  Value square = f.mul(gradient, gradient);
  if (type.getRank() < 2) {
    estimate = blend(states[0], square);
    return {estimate};
  }
  ArrayRef<int64_t> shape = type.getShape();
  auto reshape = [&](Value value, size_t dim, bool keep) {
    return repro::createReshape(builder, location, value,
                                without(shape, dim, keep));
  };
  Value rows = reshape(states[0], 1, false);
  rows = blend(rows, mean(square, 1));
  Value columns = reshape(states[1], 2, false);
  columns = blend(columns, mean(square, 2));
  Value whole = f.max(mean(rows, 1), leastVariance);
  SmallVector<int64_t> batch(type.getRank() - 2);
  std::iota(batch.begin(), batch.end(), 0);
  estimate = repeat(rows, 1);
  estimate = f.mul(estimate, repeat(columns, 2));
  whole = repro::createBroadcast(builder, location, whole, type, batch);
  estimate = f.div(estimate, whole);
  return {reshape(rows, 1, true), reshape(columns, 2, true)};
}

Value AdafactorStep::buildChange(Value parameter, Value rate) {
  Value slowed = f.min(rate, f.div(1.0, f.sqrt(step)));
  Value size = f.div(widened(f.norm(parameter)), rootCount);
  Value alpha = f.mul(f.max(size, number(rule.getEps2())), slowed);
  parameter = decayParameter(f, rule.getWeightDecay(), rate, parameter);
  Value bounded = f.max(estimate, leastVariance * leastVariance);
  Value change = f.mul(f.div(1.0, f.sqrt(bounded)), gradient);
  Value clip = f.max(
      f.div(widened(f.norm(change)), rootCount * number(rule.getD())), 1.0);
  Value minus = f.div(f.neg(alpha), clip);
  return f.fma(f.convertAndSpread(minus, parameter), change, parameter);
}

SmallVector<Value> AdafactorAttr::buildUpdate(repro::FormulaBuilder &f,
                                              const UpdateInputs &in) const {
  auto [parameter, gradient, rate, states, shared] = in;
  Value number = buildAdvance(f, shared)[0];
  AdafactorStep step(f, *this, gradient, number);
  SmallVector<Value> results = step.buildVariance(states);
  results.insert(results.begin(), step.buildChange(parameter, rate));
  return results;
}
