// Gradient descent with momentum (optimizer_r2).

#include "../IR/RuleNumbers.h"
#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"
#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "gensyn/Dialect/Train/IR/Train.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

// At the first step v is g and not momentum v + (1 - dampening) g. Without
// dampening this needs no special case: v starts at -0, and momentum (-0) + g
// is g for every g. With dampening, a shared flag records that a step was done.
static bool needsStarted(SgdAttr rule) {
  return !isZero(rule.getMomentum()) && !isZero(rule.getDampening());
}

OptimizerRuleInterface SgdAttr::read(RecipeObject &recipe) {
  return getChecked([&] { return recipe.error(); }, recipe.getContext(),
                    recipe.numberAttr("momentum", 0.0, kNotNegative),
                    recipe.numberAttr("dampening", 0.0),
                    recipe.numberAttr("weight_decay", 0.0, kNotNegative),
                    recipe.flagAttr("nesterov", false));
}

LogicalResult SgdAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              FloatAttr momentum, FloatAttr dampening,
                              FloatAttr weightDecay, BoolAttr nesterov) {
  if (failed(checkNotNegative(emitError, {{"momentum", momentum},
                                          {"weight_decay", weightDecay}})) ||
      failed(checkFinite(emitError, {{"dampening", dampening}})))
    return failure();
  if (nesterov.getValue() && (isZero(momentum) || !isZero(dampening)))
    return emitError() << "nesterov needs a momentum and no dampening";
  return success();
}

SmallVector<OptimizerState> SgdAttr::getStates(RankedTensorType type) const {
  if (isZero(getMomentum()))
    return {};
  return {{"momentum_buffer", type, needsStarted(*this) ? 0.0 : -0.0}};
}

SmallVector<OptimizerState> SgdAttr::getSharedStates() const {
  if (!needsStarted(*this))
    return {};
  auto flag = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  return {{"started", flag, 0.0}};
}

SmallVector<Value> SgdAttr::buildAdvance(repro::FormulaBuilder &f,
                                         ValueRange shared) const {
  if (shared.empty())
    return {};
  return {f.fill(shared[0], 1.0)};
}

SmallVector<Value> SgdAttr::buildUpdate(repro::FormulaBuilder &f,
                                        const UpdateInputs &in) const {
  auto [parameter, gradient, rate, states, shared] = in;
  Value direction = gradient;
  if (!isZero(getWeightDecay()))
    direction = f.fma(number(getWeightDecay()), parameter, gradient);
  SmallVector<Value> results;
  if (!isZero(getMomentum())) {
    double momentum = number(getMomentum());
    Value kept = f.mul(momentum, states[0]);
    Value velocity = isZero(getDampening())
                         ? f.add(kept, direction)
                         : f.fma(1.0 - number(getDampening()), direction, kept);
    if (needsStarted(*this))
      velocity = f.select(f.spread(shared[0], parameter), velocity, direction);
    direction = getNesterov().getValue() ? f.fma(momentum, velocity, direction)
                                         : velocity;
    results.push_back(velocity);
  }
  results.insert(
      results.begin(),
      f.fma(f.convertAndSpread(f.neg(rate), parameter), direction, parameter));
  return results;
}
