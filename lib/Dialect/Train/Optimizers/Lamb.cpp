// LAMB, of You et al. 2020, "Large Batch Optimization for Deep Learning"
// (optimizer_r14).

#include "../IR/RuleNumbers.h"
#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

OptimizerRuleInterface LambAttr::read(RecipeObject &recipe) {
  auto [beta1, beta2] = readBetas(recipe, {0.9, 0.999});
  return getChecked([&] { return recipe.error(); }, recipe.getContext(), beta1,
                    beta2, recipe.numberAttr("eps", 1e-6, kNotNegative),
                    recipe.numberAttr("weight_decay", 1e-2, kNotNegative));
}

LogicalResult LambAttr::verify(EmitError emitError, FloatAttr beta1,
                               FloatAttr beta2, FloatAttr eps,
                               FloatAttr weightDecay) {
  if (failed(checkNotNegative(emitError,
                              {{"eps", eps}, {"weight_decay", weightDecay}})))
    return failure();
  return checkBelowOne(emitError, {{"beta1", beta1}, {"beta2", beta2}});
}

SmallVector<OptimizerState> LambAttr::getStates(RankedTensorType type) const {
  return {{"exp_avg", type}, {"exp_avg_sq", type}};
}

SmallVector<OptimizerState> LambAttr::getSharedStates() const {
  return {sharedNumber(getContext(), "beta1_power", 1.0),
          sharedNumber(getContext(), "beta2_power", 1.0)};
}

/// The trust ratio is one of norms.
StorageFreedom LambAttr::getStorageFreedom() const {
  return StorageFreedom::Permutation;
}

SmallVector<Value> LambAttr::buildAdvance(OpBuilder &builder, Location location,
                                          ValueRange shared) const {
  repro::FormulaBuilder f(builder, location);
  return {f.mul(number(getBeta1()), shared[0]),
          f.mul(number(getBeta2()), shared[1])};
}

SmallVector<Value> LambAttr::buildUpdate(OpBuilder &builder, Location location,
                                         Value parameter, Value gradient,
                                         Value rate, ValueRange states,
                                         ValueRange shared) const {
  repro::FormulaBuilder f(builder, location);
  SmallVector<Value> powers = buildAdvance(builder, location, shared);
  Value mean = f.lerp(states[0], gradient, 1.0 - number(getBeta1()));
  Value square = meanSquare(f, number(getBeta2()), states[1], gradient);
  Value corrected =
      f.div(mean, f.convertAndSpread(f.sub(1.0, powers[0]), mean));
  Value correction = f.sqrt(f.sub(1.0, powers[1]));
  Value root = f.sqrt(square);
  root = f.div(root, f.convertAndSpread(correction, square));
  root = f.add(root, number(getEps()));
  Value direction =
      decayGradient(f, getWeightDecay(), parameter, f.div(corrected, root));

  Value size = f.norm(parameter), length = f.norm(direction);
  Value both = f.compare(CompareKind::Gt, size, 0.0);
  both = f.bitAnd(both, f.compare(CompareKind::Gt, length, 0.0));
  Value ratio = f.div(size, length);
  ratio = f.select(both, ratio, f.fill(size, 1.0));
  Value minus = f.convertAndSpread(f.neg(rate), parameter);
  Value scaled = f.mul(f.spread(ratio, direction), direction);
  return {f.fma(minus, scaled, parameter), mean, square};
}
