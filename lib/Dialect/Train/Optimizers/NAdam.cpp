// NAdam (optimizer_r9).

#include "../IR/RuleNumbers.h"
#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

namespace {
/// Functions of the step number, all f64 scalars.
struct NAdamSchedule {
  Value step, power2, mu, muNext, product;
};
} // namespace

// The natural logarithm of the f64 0.96, rounded to nearest.
static constexpr double kLog096 = -0x1.4e69ed6d80eb3p-5;

// beta1 (1 - 0.96^(step momentum_decay) / 2). The exponent is not an integer
// multiple of the step, so a running product of states would differ.
static Value buildMu(repro::FormulaBuilder &f, NAdamAttr rule, Value step) {
  Value exponent = f.mul(number(rule.getMomentumDecay()), step);
  Value power = f.exp(f.mul(kLog096, exponent));
  return f.mul(number(rule.getBeta1()), f.sub(1.0, f.mul(0.5, power)));
}

static NAdamSchedule advance(repro::FormulaBuilder &f, NAdamAttr rule,
                             ValueRange shared) {
  NAdamSchedule next;
  next.step = f.add(shared[0], 1.0);
  next.power2 = f.mul(number(rule.getBeta2()), shared[1]);
  next.mu = buildMu(f, rule, next.step);
  next.muNext = buildMu(f, rule, f.add(next.step, 1.0));
  next.product = f.mul(shared[2], next.mu);
  return next;
}

OptimizerRuleInterface NAdamAttr::read(RecipeObject &recipe) {
  auto [beta1, beta2] = readBetas(recipe, {0.9, 0.999});
  return getChecked([&] { return recipe.error(); }, recipe.getContext(), beta1,
                    beta2, recipe.numberAttr("eps", 1e-8, kNotNegative),
                    recipe.numberAttr("weight_decay", 0.0, kNotNegative),
                    recipe.numberAttr("momentum_decay", 4e-3, kNotNegative),
                    recipe.flagAttr("decoupled_weight_decay", false));
}

LogicalResult NAdamAttr::verify(EmitError emitError, FloatAttr beta1,
                                FloatAttr beta2, FloatAttr eps,
                                FloatAttr weightDecay, FloatAttr momentumDecay,
                                BoolAttr) {
  if (failed(checkNotNegative(emitError, {{"eps", eps},
                                          {"weight_decay", weightDecay},
                                          {"momentum_decay", momentumDecay}})))
    return failure();
  return checkBelowOne(emitError, {{"beta1", beta1}, {"beta2", beta2}});
}

SmallVector<OptimizerState> NAdamAttr::getStates(RankedTensorType type) const {
  return {{"exp_avg", type}, {"exp_avg_sq", type}};
}

SmallVector<OptimizerState> NAdamAttr::getSharedStates() const {
  return {sharedNumber(getContext(), "step", 0.0),
          sharedNumber(getContext(), "beta2_power", 1.0),
          sharedNumber(getContext(), "mu_product", 1.0)};
}

SmallVector<Value> NAdamAttr::buildAdvance(OpBuilder &builder,
                                           Location location,
                                           ValueRange shared) const {
  repro::FormulaBuilder f(builder, location);
  NAdamSchedule next = advance(f, *this, shared);
  return {next.step, next.power2, next.product};
}

SmallVector<Value> NAdamAttr::buildUpdate(OpBuilder &builder, Location location,
                                          Value parameter, Value gradient,
                                          Value rate, ValueRange states,
                                          ValueRange shared) const {
  repro::FormulaBuilder f(builder, location);
  NAdamSchedule now = advance(f, *this, shared);
  if (getDecoupledWeightDecay().getValue())
    parameter = decayParameter(f, getWeightDecay(), rate, parameter);
  else
    gradient = decayGradient(f, getWeightDecay(), parameter, gradient);
  Value mean = f.lerp(states[0], gradient, 1.0 - number(getBeta1()));
  Value square = meanSquare(f, number(getBeta2()), states[1], gradient);
  Value corrected =
      f.div(square, f.convertAndSpread(f.sub(1.0, now.power2), square));
  Value root = f.add(f.sqrt(corrected), number(getEps()));
  Value minusRate = f.neg(rate);
  Value along = f.mul(minusRate, f.sub(1.0, now.mu));
  along = f.div(along, f.sub(1.0, now.product));
  Value ahead = f.mul(minusRate, now.muNext);
  ahead = f.div(ahead, f.sub(1.0, f.mul(now.product, now.muNext)));
  Value moved = addQuotient(f, parameter, along, gradient, root);
  return {addQuotient(f, moved, ahead, mean, root), mean, square};
}
