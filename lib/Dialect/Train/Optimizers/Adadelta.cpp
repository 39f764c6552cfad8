// Adadelta (optimizer_r12).

#include "../IR/RuleNumbers.h"
#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

OptimizerRuleInterface AdadeltaAttr::read(RecipeObject &recipe) {
  return getChecked([&] { return recipe.error(); }, recipe.getContext(),
                    recipe.numberAttr("rho", 0.9, NumberRange::between(0, 1)),
                    recipe.numberAttr("eps", 1e-6, kNotNegative),
                    recipe.numberAttr("weight_decay", 0.0, kNotNegative));
}

LogicalResult AdadeltaAttr::verify(EmitError emitError, FloatAttr rho,
                                   FloatAttr eps, FloatAttr weightDecay) {
  if (!(number(rho) >= 0.0 && number(rho) <= 1.0))
    return emitError() << "rho " << number(rho) << " is not between 0 and 1";
  return checkNotNegative(emitError,
                          {{"eps", eps}, {"weight_decay", weightDecay}});
}

SmallVector<OptimizerState>
AdadeltaAttr::getStates(RankedTensorType type) const {
  return {{"square_avg", type}, {"acc_delta", type}};
}

SmallVector<Value> AdadeltaAttr::buildUpdate(repro::FormulaBuilder &f,
                                             const UpdateInputs &in) const {
  auto [parameter, gradient, rate, states, shared] = in;
  gradient = decayGradient(f, getWeightDecay(), parameter, gradient);
  double rho = number(getRho()), eps = number(getEps());
  Value square = meanSquare(f, rho, states[0], gradient);
  Value ratio = f.sqrt(f.add(states[1], eps));
  ratio = f.div(ratio, f.sqrt(f.add(square, eps)));
  Value change = f.mul(ratio, gradient);
  Value changes = meanSquare(f, rho, states[1], change);
  Value minus = f.convertAndSpread(f.neg(rate), parameter);
  return {f.fma(minus, change, parameter), square, changes};
}
