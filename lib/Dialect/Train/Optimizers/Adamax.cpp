// Adamax (optimizer_r11).

#include "../IR/RuleNumbers.h"
#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

OptimizerRuleInterface AdamaxAttr::read(RecipeObject &recipe) {
  auto [beta1, beta2] = readBetas(recipe, {0.9, 0.999});
  return getChecked([&] { return recipe.error(); }, recipe.getContext(), beta1,
                    beta2, recipe.numberAttr("eps", 1e-8, kNotNegative),
                    recipe.numberAttr("weight_decay", 0.0, kNotNegative));
}

LogicalResult AdamaxAttr::verify(EmitError emitError, FloatAttr beta1,
                                 FloatAttr beta2, FloatAttr eps,
                                 FloatAttr weightDecay) {
  if (failed(checkNotNegative(emitError,
                              {{"eps", eps}, {"weight_decay", weightDecay}})))
    return failure();
  return checkBelowOne(emitError, {{"beta1", beta1}, {"beta2", beta2}});
}

SmallVector<OptimizerState> AdamaxAttr::getStates(RankedTensorType type) const {
  return {{"exp_avg", type}, {"exp_inf", type}};
}

SmallVector<OptimizerState> AdamaxAttr::getSharedStates() const {
  return {sharedNumber(getContext(), "beta1_power", 1.0)};
}

SmallVector<Value> AdamaxAttr::buildAdvance(OpBuilder &builder,
                                            Location location,
                                            ValueRange shared) const {
  return {repro::FormulaBuilder(builder, location)
              .mul(number(getBeta1()), shared[0])};
}

SmallVector<Value> AdamaxAttr::buildUpdate(OpBuilder &builder,
                                           Location location, Value parameter,
                                           Value gradient, Value rate,
                                           ValueRange states,
                                           ValueRange shared) const {
  repro::FormulaBuilder f(builder, location);
  gradient = decayGradient(f, getWeightDecay(), parameter, gradient);
  Value mean = f.lerp(states[0], gradient, 1.0 - number(getBeta1()));
  Value faded = f.mul(number(getBeta2()), states[1]);
  Value largest = f.max(faded, f.add(f.abs(gradient), number(getEps())));
  Value power = f.mul(number(getBeta1()), shared[0]);
  Value step = f.neg(f.div(rate, f.sub(1.0, power)));
  return {addQuotient(f, parameter, step, mean, largest), mean, largest};
}
