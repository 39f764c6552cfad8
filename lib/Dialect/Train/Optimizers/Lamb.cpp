// LAMB, of You et al. 2020, "Large Batch Optimization for Deep Learning"
// (optimizer_r14).

#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

OptimizerRuleInterface LambAttr::read(RecipeObject &recipe) {
  auto n = AdamNumbers::read(recipe, 1e-6, 1e-2);
  return getChecked([&] { return recipe.error(); }, recipe.getContext(),
                    n.beta1, n.beta2, n.eps, n.weightDecay);
}

LogicalResult LambAttr::verify(EmitError emitError, FloatAttr beta1,
                               FloatAttr beta2, FloatAttr eps,
                               FloatAttr weightDecay) {
  return AdamNumbers{beta1, beta2, eps, weightDecay}.verify(emitError);
}

SmallVector<OptimizerState> LambAttr::getStates(RankedTensorType type) const {
  return getMomentStates(type);
}

SmallVector<OptimizerState> LambAttr::getSharedStates() const {
  return getBetaPowers(getContext());
}

/// The trust ratio is one of norms.
StorageFreedom LambAttr::getStorageFreedom() const {
  return StorageFreedom::Permutation;
}

SmallVector<Value> LambAttr::buildAdvance(repro::FormulaBuilder &f,
                                          ValueRange shared) const {
  return advanceBetaPowers(f, getBeta1(), getBeta2(), shared);
}

SmallVector<Value> LambAttr::buildUpdate(repro::FormulaBuilder &f,
                                         const UpdateInputs &in) const {
  auto [parameter, gradient, rate, states, shared] = in;
  SmallVector<Value> powers = buildAdvance(f, shared);
  auto [mean, square] = Moments(f, getBeta1(), getBeta2(), in);
  Value corrected =
      f.div(mean, f.convertAndSpread(f.sub(1.0, powers[0]), mean));
  Value correction = f.sqrt(f.sub(1.0, powers[1]));
  Value root = f.sqrt(square);
  root = f.div(root, f.convertAndSpread(correction, square));
  root = f.add(root, number(getEps()));
  Value direction =
      decayGradient(f, getWeightDecay(), parameter, f.div(corrected, root));

  Value size = f.norm(parameter), length = f.norm(direction);
  Value both = f.compare(CompareKind::Gt, size, 0.0);
  both = f.bitAnd(both, f.compare(CompareKind::Gt, length, 0.0));
  Value ratio = f.div(size, length);
  ratio = f.select(both, ratio, f.fill(size, 1.0));
  Value minus = f.convertAndSpread(f.neg(rate), parameter);
  Value scaled = f.mul(f.spread(ratio, direction), direction);
  return {f.fma(minus, scaled, parameter), mean, square};
}
