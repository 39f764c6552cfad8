// NAdam (optimizer_r9).

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
  auto n = AdamNumbers::read(recipe, 1e-8, 0.0);
  return getChecked([&] { return recipe.error(); }, recipe.getContext(),
                    n.beta1, n.beta2, n.eps, n.weightDecay,
                    recipe.numberAttr("momentum_decay", 4e-3, kNotNegative),
                    recipe.flagAttr("decoupled_weight_decay", false));
}

LogicalResult NAdamAttr::verify(EmitError emitError, FloatAttr beta1,
                                FloatAttr beta2, FloatAttr eps,
                                FloatAttr weightDecay, FloatAttr momentumDecay,
                                BoolAttr) {
  if (failed(checkNotNegative(emitError, {{"momentum_decay", momentumDecay}})))
    return failure();
  return AdamNumbers{beta1, beta2, eps, weightDecay}.verify(emitError);
}

SmallVector<OptimizerState> NAdamAttr::getStates(RankedTensorType type) const {
  return getMomentStates(type);
}

SmallVector<OptimizerState> NAdamAttr::getSharedStates() const {
  return {sharedNumber(getContext(), "step", 0.0),
          sharedNumber(getContext(), "beta2_power", 1.0),
          sharedNumber(getContext(), "mu_product", 1.0)};
}

SmallVector<Value> NAdamAttr::buildAdvance(repro::FormulaBuilder &f,
                                           ValueRange shared) const {
  NAdamSchedule next = advance(f, *this, shared);
  return {next.step, next.power2, next.product};
}

SmallVector<Value> NAdamAttr::buildUpdate(repro::FormulaBuilder &f,
                                          const UpdateInputs &in) const {
  NAdamSchedule now = advance(f, *this, in.shared);
  UpdateInputs step =
      decayed(f, getWeightDecay(), getDecoupledWeightDecay().getValue(), in);
  auto [mean, square] = Moments(f, getBeta1(), getBeta2(), step);
  Value corrected =
      f.div(square, f.convertAndSpread(f.sub(1.0, now.power2), square));
  Value root = f.add(f.sqrt(corrected), number(getEps()));
  Value minusRate = f.neg(step.rate);
  Value along = f.mul(minusRate, f.sub(1.0, now.mu));
  along = f.div(along, f.sub(1.0, now.product));
  Value ahead = f.mul(minusRate, now.muNext);
  ahead = f.div(ahead, f.sub(1.0, f.mul(now.product, now.muNext)));
  Value moved = addQuotient(f, step.parameter, along, step.gradient, root);
  return {addQuotient(f, moved, ahead, mean, root), mean, square};
}
