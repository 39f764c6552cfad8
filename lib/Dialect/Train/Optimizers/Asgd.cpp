// ASGD: averaged stochastic gradient descent (optimizer_r17).

#include "../IR/RuleNumbers.h"
#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

OptimizerRuleInterface AsgdAttr::read(RecipeObject &recipe) {
  return getChecked([&] { return recipe.error(); }, recipe.getContext(),
                    recipe.numberAttr("lambd", 1e-4, kNotNegative),
                    recipe.numberAttr("alpha", 0.75, kNotNegative),
                    recipe.numberAttr("t0", 1e6, kNotNegative),
                    recipe.numberAttr("weight_decay", 0.0, kNotNegative));
}

LogicalResult AsgdAttr::verify(EmitError emitError, FloatAttr lambd,
                               FloatAttr alpha, FloatAttr t0,
                               FloatAttr weightDecay) {
  return checkNotNegative(emitError, {{"lambd", lambd},
                                      {"alpha", alpha},
                                      {"t0", t0},
                                      {"weight_decay", weightDecay}});
}

// The step size of the next step, which PyTorch rounds to the parameter's type,
// and the average of the parameter, which nothing else depends on.
SmallVector<OptimizerState> AsgdAttr::getStates(RankedTensorType type) const {
  return {{"eta", RankedTensorType::get({}, type.getElementType())},
          {"ax", type}};
}

SmallVector<OptimizerState> AsgdAttr::getSharedStates() const {
  return {sharedNumber(getContext(), "step", 0.0)};
}

SmallVector<Value> AsgdAttr::buildAdvance(repro::FormulaBuilder &f,
                                          ValueRange shared) const {
  return {f.add(shared[0], 1.0)};
}

SmallVector<Value> AsgdAttr::buildUpdate(repro::FormulaBuilder &f,
                                         const UpdateInputs &in) const {
  auto [parameter, gradient, rate, states, shared] = in;
  Type element = repro::typeOf(parameter).getElementType();
  Value before = shared[0];
  gradient = decayGradient(f, getWeightDecay(), parameter, gradient);
  // The first step has the step size itself.
  Value isFirst = f.compare(CompareKind::Eq, before, 0.0);
  Value eta = f.select(isFirst, f.convert(rate, element), states[0]);
  eta = f.convert(eta, f.getBuilder().getF64Type());
  Value kept = decayParameter(f, getLambd(), eta, parameter);
  Value minus = f.convertAndSpread(f.neg(eta), parameter);
  Value moved = f.fma(minus, gradient, kept);

  Value steps = f.max(f.sub(before, f.fill(before, number(getT0()))), 1.0);
  Value mu = f.convertAndSpread(f.div(1.0, steps), parameter);
  Value towards = f.mul(f.sub(moved, states[1]), mu);
  Value average = f.select(f.compare(CompareKind::Eq, mu, 1.0), moved,
                           f.add(states[1], towards));

  Value slope = f.mul(number(getLambd()), rate);
  Value base = f.add(f.mul(slope, f.add(before, 1.0)), 1.0);
  Value power = f.exp(f.mul(number(getAlpha()), f.log(base)));
  return {moved, f.convert(f.div(rate, power), element), average};
}
