// RAdam (optimizer_r10).

#include "../IR/RuleNumbers.h"
#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

OptimizerRuleInterface RAdamAttr::read(RecipeObject &recipe) {
  auto [beta1, beta2] = readBetas(recipe, {0.9, 0.999});
  return getChecked([&] { return recipe.error(); }, recipe.getContext(), beta1,
                    beta2, recipe.numberAttr("eps", 1e-8, kNotNegative),
                    recipe.numberAttr("weight_decay", 0.0, kNotNegative),
                    recipe.flagAttr("decoupled_weight_decay", false));
}

LogicalResult RAdamAttr::verify(EmitError emitError, FloatAttr beta1,
                                FloatAttr beta2, FloatAttr eps,
                                FloatAttr weightDecay, BoolAttr) {
  if (failed(checkNotNegative(emitError,
                              {{"eps", eps}, {"weight_decay", weightDecay}})))
    return failure();
  return checkBelowOne(emitError, {{"beta1", beta1}, {"beta2", beta2}});
}

SmallVector<OptimizerState> RAdamAttr::getStates(RankedTensorType type) const {
  return {{"exp_avg", type}, {"exp_avg_sq", type}};
}

SmallVector<OptimizerState> RAdamAttr::getSharedStates() const {
  return {sharedNumber(getContext(), "step", 0.0),
          sharedNumber(getContext(), "beta1_power", 1.0),
          sharedNumber(getContext(), "beta2_power", 1.0)};
}

SmallVector<Value> RAdamAttr::buildAdvance(OpBuilder &builder,
                                           Location location,
                                           ValueRange shared) const {
  repro::FormulaBuilder f(builder, location);
  return {f.add(shared[0], 1.0), f.mul(number(getBeta1()), shared[1]),
          f.mul(number(getBeta2()), shared[2])};
}

SmallVector<Value> RAdamAttr::buildUpdate(OpBuilder &builder, Location location,
                                          Value parameter, Value gradient,
                                          Value rate, ValueRange states,
                                          ValueRange shared) const {
  repro::FormulaBuilder f(builder, location);
  SmallVector<Value> next = buildAdvance(builder, location, shared);
  if (getDecoupledWeightDecay().getValue())
    parameter = decayParameter(f, getWeightDecay(), rate, parameter);
  else
    gradient = decayGradient(f, getWeightDecay(), parameter, gradient);
  Value mean = f.lerp(states[0], gradient, 1.0 - number(getBeta1()));
  Value square = meanSquare(f, number(getBeta2()), states[1], gradient);

  // The length of the running mean square in steps, now and in the limit.
  const double most = 2.0 / (1.0 - number(getBeta2())) - 1.0;
  Value rest = f.sub(1.0, next[2]);
  Value length = f.sub(most, f.div(f.mul(f.mul(2.0, next[0]), next[2]), rest));
  Value above = f.sub(length, 4.0);
  above = f.mul(above, f.sub(length, 2.0));
  above = f.mul(above, f.fill(length, most));
  Value below = f.mul((most - 4.0) * (most - 2.0), length);
  // NaN if the length is short; then it is not selected.
  Value rectified = f.sqrt(f.div(above, below));
  Value isLong = f.compare(repro::CompareKind::Gt, length, 5.0);

  Value corrected = f.div(mean, f.convertAndSpread(f.sub(1.0, next[1]), mean));
  Value plain = f.mul(corrected, f.convertAndSpread(rate, mean));
  Value correction = f.convertAndSpread(f.sqrt(rest), square);
  Value adaptive = f.div(correction, f.add(f.sqrt(square), number(getEps())));
  Value full = f.mul(plain, adaptive);
  full = f.mul(full, f.convertAndSpread(rectified, square));
  Value change = f.select(f.spread(isLong, full), full, plain);
  return {f.sub(parameter, change), mean, square};
}
