// Lion, of Chen et al. 2023, "Symbolic Discovery of Optimization Algorithms",
// with the names and defaults of its authors' code (optimizer_r13).

#include "../IR/RuleNumbers.h"
#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

OptimizerRuleInterface LionAttr::read(RecipeObject &recipe) {
  auto [beta1, beta2] = readBetas(recipe, {0.9, 0.99});
  return getChecked([&] { return recipe.error(); }, recipe.getContext(), beta1,
                    beta2,
                    recipe.numberAttr("weight_decay", 0.0, kNotNegative));
}

LogicalResult LionAttr::verify(EmitError emitError, FloatAttr beta1,
                               FloatAttr beta2, FloatAttr weightDecay) {
  if (failed(checkNotNegative(emitError, {{"weight_decay", weightDecay}})))
    return failure();
  return checkBelowOne(emitError, {{"beta1", beta1}, {"beta2", beta2}});
}

SmallVector<OptimizerState> LionAttr::getStates(RankedTensorType type) const {
  return {{"exp_avg", type}};
}

SmallVector<Value> LionAttr::buildUpdate(repro::FormulaBuilder &f,
                                         const UpdateInputs &in) const {
  auto [parameter, gradient, rate, states, shared] = in;
  auto blend = [&](double beta) {
    return f.fma(1.0 - beta, gradient, f.mul(beta, states[0]));
  };
  Value sign = f.sign(blend(number(getBeta1())));
  Value kept = decayParameter(f, getWeightDecay(), rate, parameter);
  Value minus = f.convertAndSpread(f.neg(rate), parameter);
  return {f.fma(minus, sign, kept), blend(number(getBeta2()))};
}
