// Adamax (optimizer_r11).

#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

OptimizerRuleInterface AdamaxAttr::read(RecipeObject &recipe) {
  auto n = AdamNumbers::read(recipe, 1e-8, 0.0);
  return getChecked([&] { return recipe.error(); }, recipe.getContext(),
                    n.beta1, n.beta2, n.eps, n.weightDecay,
                    recipe.flag("tensorflow_eps", false));
}

LogicalResult AdamaxAttr::verify(EmitError emitError, FloatAttr beta1,
                                 FloatAttr beta2, FloatAttr eps,
                                 FloatAttr weightDecay, bool) {
  return AdamNumbers{beta1, beta2, eps, weightDecay}.verify(emitError);
}

SmallVector<OptimizerState> AdamaxAttr::getStates(RankedTensorType type) const {
  return {{"exp_avg", type}, {"exp_inf", type}};
}

SmallVector<OptimizerState> AdamaxAttr::getSharedStates() const {
  return {sharedNumber(getContext(), "beta1_power", 1.0)};
}

SmallVector<Value> AdamaxAttr::buildAdvance(repro::FormulaBuilder &f,
                                            ValueRange shared) const {
  return {f.mul(number(getBeta1()), shared[0])};
}

SmallVector<Value> AdamaxAttr::buildUpdate(repro::FormulaBuilder &f,
                                           const UpdateInputs &in) const {
  auto [parameter, gradient, rate, states, shared] = in;
  gradient = decayGradient(f, getWeightDecay(), parameter, gradient);
  Value mean = f.lerp(states[0], gradient, 1.0 - number(getBeta1()));
  Value faded = f.mul(number(getBeta2()), states[1]);
  Value size = f.abs(gradient);
  if (!getTensorflowEps())
    size = f.add(size, number(getEps()));
  Value largest = f.max(faded, size);
  Value divisor = largest;
  if (getTensorflowEps())
    divisor = f.add(largest, number(getEps()));
  Value power = f.mul(number(getBeta1()), shared[0]);
  Value step = f.neg(f.div(rate, f.sub(1.0, power)));
  return {addQuotient(f, parameter, step, mean, divisor), mean, largest};
}
