// RAdam (optimizer_r10).

#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

OptimizerRuleInterface RAdamAttr::read(RecipeObject &recipe) {
  auto n = AdamNumbers::read(recipe, 1e-8, 0.0);
  return getChecked([&] { return recipe.error(); }, recipe.getContext(),
                    n.beta1, n.beta2, n.eps, n.weightDecay,
                    recipe.flagAttr("decoupled_weight_decay", false));
}

LogicalResult RAdamAttr::verify(EmitError emitError, FloatAttr beta1,
                                FloatAttr beta2, FloatAttr eps,
                                FloatAttr weightDecay, BoolAttr) {
  return AdamNumbers{beta1, beta2, eps, weightDecay}.verify(emitError);
}

SmallVector<OptimizerState> RAdamAttr::getStates(RankedTensorType type) const {
  return getMomentStates(type);
}

SmallVector<OptimizerState> RAdamAttr::getSharedStates() const {
  return {sharedNumber(getContext(), "step", 0.0),
          sharedNumber(getContext(), "beta1_power", 1.0),
          sharedNumber(getContext(), "beta2_power", 1.0)};
}

SmallVector<Value> RAdamAttr::buildAdvance(repro::FormulaBuilder &f,
                                           ValueRange shared) const {
  return {f.add(shared[0], 1.0), f.mul(number(getBeta1()), shared[1]),
          f.mul(number(getBeta2()), shared[2])};
}

SmallVector<Value> RAdamAttr::buildUpdate(repro::FormulaBuilder &f,
                                          const UpdateInputs &in) const {
  SmallVector<Value> next = buildAdvance(f, in.shared);
  UpdateInputs step =
      decayed(f, getWeightDecay(), getDecoupledWeightDecay().getValue(), in);
  auto [mean, square] = Moments(f, getBeta1(), getBeta2(), step);

  // The length of the running mean square in steps, now and in the limit.
  const double most = 2.0 / (1.0 - number(getBeta2())) - 1.0;
  Value rest = f.sub(1.0, next[2]);
  Value length = f.sub(most, f.div(f.mul(f.mul(2.0, next[0]), next[2]), rest));
  Value above = f.sub(length, 4.0);
  above = f.mul(above, f.sub(length, 2.0));
  above = f.mul(above, f.fill(length, most));
  Value below = f.mul((most - 4.0) * (most - 2.0), length);
  // NaN if the length is short; then it is not selected.
  Value rectified = f.sqrt(f.div(above, below));
  Value isLong = f.compare(repro::CompareKind::Gt, length, 5.0);

  Value corrected = f.div(mean, f.convertAndSpread(f.sub(1.0, next[1]), mean));
  Value plain = f.mul(corrected, f.convertAndSpread(step.rate, mean));
  Value correction = f.convertAndSpread(f.sqrt(rest), square);
  Value adaptive = f.div(correction, f.add(f.sqrt(square), number(getEps())));
  Value full = f.mul(plain, adaptive);
  full = f.mul(full, f.convertAndSpread(rectified, square));
  Value change = f.select(f.spread(isLong, full), full, plain);
  return {f.sub(step.parameter, change), mean, square};
}
