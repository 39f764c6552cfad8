// Adagrad and RMSprop (optimizer_r5, optimizer_r6).

#include "../IR/RuleNumbers.h"
#include "RuleParts.h"
#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

// The root by which a step is divided.
static Value buildDivisor(repro::FormulaBuilder &f, Value square, FloatAttr eps,
                          bool tensorflowEps) {
  if (tensorflowEps)
    return f.sqrt(f.add(square, number(eps)));
  return f.add(f.sqrt(square), number(eps));
}

OptimizerRuleInterface AdagradAttr::read(RecipeObject &recipe) {
  return getChecked(
      [&] { return recipe.error(); }, recipe.getContext(),
      recipe.numberAttr("lr_decay", 0.0, kNotNegative),
      recipe.numberAttr("weight_decay", 0.0, kNotNegative),
      recipe.numberAttr("initial_accumulator_value", 0.0, kNotNegative),
      recipe.numberAttr("eps", 1e-10, kNotNegative),
      recipe.flag("tensorflow_eps", false));
}

OptimizerRuleInterface RmsPropAttr::read(RecipeObject &recipe) {
  return getChecked([&] { return recipe.error(); }, recipe.getContext(),
                    recipe.numberAttr("alpha", 0.99, kNotNegative),
                    recipe.numberAttr("eps", 1e-8, kNotNegative),
                    recipe.numberAttr("weight_decay", 0.0, kNotNegative),
                    recipe.numberAttr("momentum", 0.0, kNotNegative),
                    recipe.flagAttr("centered", false),
                    recipe.flag("tensorflow_eps", false));
}

LogicalResult AdagradAttr::verify(EmitError emitError, FloatAttr lrDecay,
                                  FloatAttr weightDecay,
                                  FloatAttr initialAccumulatorValue,
                                  FloatAttr eps, bool) {
  return checkNotNegative(
      emitError, {{"lr_decay", lrDecay},
                  {"weight_decay", weightDecay},
                  {"initial_accumulator_value", initialAccumulatorValue},
                  {"eps", eps}});
}

SmallVector<OptimizerState>
AdagradAttr::getStates(RankedTensorType type) const {
  return {{"sum", type, number(getInitialAccumulatorValue())}};
}

// The number of steps taken, which only a decaying step size needs.
SmallVector<OptimizerState> AdagradAttr::getSharedStates() const {
  if (isZero(getLrDecay()))
    return {};
  return {sharedNumber(getContext(), "step", 0.0)};
}

SmallVector<Value> AdagradAttr::buildAdvance(repro::FormulaBuilder &f,
                                             ValueRange shared) const {
  if (shared.empty())
    return {};
  return {f.add(shared[0], 1.0)};
}

SmallVector<Value> AdagradAttr::buildUpdate(repro::FormulaBuilder &f,
                                            const UpdateInputs &in) const {
  auto [parameter, gradient, rate, states, shared] = in;
  gradient = decayGradient(f, getWeightDecay(), parameter, gradient);
  Value sum = f.add(states[0], f.mul(gradient, gradient));
  Value root = buildDivisor(f, sum, getEps(), getTensorflowEps());
  Value step;
  if (shared.empty()) {
    step = f.convertAndSpread(f.neg(rate), parameter);
  } else {
    Value slowed = f.add(f.mul(number(getLrDecay()), shared[0]), 1.0);
    step = f.convertAndSpread(f.neg(f.div(rate, slowed)), parameter);
  }
  return {f.add(parameter, f.div(f.mul(step, gradient), root)), sum};
}

LogicalResult RmsPropAttr::verify(EmitError emitError, FloatAttr alpha,
                                  FloatAttr eps, FloatAttr weightDecay,
                                  FloatAttr momentum, BoolAttr, bool) {
  return checkNotNegative(emitError, {{"alpha", alpha},
                                      {"eps", eps},
                                      {"weight_decay", weightDecay},
                                      {"momentum", momentum}});
}

SmallVector<OptimizerState>
RmsPropAttr::getStates(RankedTensorType type) const {
  SmallVector<OptimizerState> states = {{"square_avg", type}};
  if (getCentered().getValue())
    states.push_back({"grad_avg", type});
  if (!isZero(getMomentum()))
    states.push_back({"momentum_buffer", type});
  return states;
}

SmallVector<Value> RmsPropAttr::buildUpdate(repro::FormulaBuilder &f,
                                            const UpdateInputs &in) const {
  auto [parameter, gradient, rate, states, shared] = in;
  gradient = decayGradient(f, getWeightDecay(), parameter, gradient);
  double alpha = number(getAlpha());
  Value square = meanSquare(f, alpha, states[0], gradient);
  SmallVector<Value> results = {nullptr, square};
  Value spreadOut = square;
  if (getCentered().getValue()) {
    Value mean = f.lerp(states[1], gradient, 1.0 - alpha);
    spreadOut = f.sub(square, f.mul(mean, mean));
    results.push_back(mean);
  }
  Value root = buildDivisor(f, spreadOut, getEps(), getTensorflowEps());
  Value step = f.convertAndSpread(f.neg(rate), parameter);
  if (isZero(getMomentum())) {
    results[0] = f.add(parameter, f.div(f.mul(step, gradient), root));
    return results;
  }
  Value kept = f.mul(number(getMomentum()), states.back());
  Value velocity = f.add(kept, f.div(gradient, root));
  results.push_back(velocity);
  results[0] = f.fma(step, velocity, parameter);
  return results;
}
