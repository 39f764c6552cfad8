// Rprop: resilient backpropagation (optimizer_r18).

#include "../IR/RuleNumbers.h"
#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

OptimizerRuleInterface RpropAttr::read(RecipeObject &recipe) {
  Builder builder(recipe.getContext());
  auto [minus, plus] = recipe.pair("etas", {0.5, 1.2}, NumberRange::above(0.0));
  auto [least, most] = recipe.pair("step_sizes", {1e-6, 50.0}, kNotNegative);
  if (recipe.failed())
    return nullptr;
  return getChecked(
      [&] { return recipe.error(); }, recipe.getContext(),
      builder.getF64FloatAttr(minus), builder.getF64FloatAttr(plus),
      builder.getF64FloatAttr(least), builder.getF64FloatAttr(most));
}

LogicalResult RpropAttr::verify(EmitError emitError, FloatAttr etaMinus,
                                FloatAttr etaPlus, FloatAttr stepMin,
                                FloatAttr stepMax) {
  if (!(number(etaMinus) > 0.0 && number(etaMinus) < 1.0))
    return emitError() << "eta_minus " << number(etaMinus)
                       << " is not between 0 and 1";
  if (!(number(etaPlus) > 1.0 && std::isfinite(number(etaPlus))))
    return emitError() << "eta_plus " << number(etaPlus) << " is not above 1";
  return checkNotNegative(emitError,
                          {{"step_min", stepMin}, {"step_max", stepMax}});
}

SmallVector<OptimizerState> RpropAttr::getStates(RankedTensorType type) const {
  return {{"prev", type}, {"step_size", type}};
}

SmallVector<OptimizerState> RpropAttr::getSharedStates() const {
  return {sharedNumber(getContext(), "step", 0.0)};
}

SmallVector<Value> RpropAttr::buildAdvance(repro::FormulaBuilder &f,
                                           ValueRange shared) const {
  return {f.add(shared[0], 1.0)};
}

SmallVector<Value> RpropAttr::buildUpdate(repro::FormulaBuilder &f,
                                          const UpdateInputs &in) const {
  auto [parameter, gradient, rate, states, shared] = in;
  Value product = f.mul(gradient, states[0]);
  Value zero = f.fill(product, 0.0);
  Value isBack = f.compare(CompareKind::Lt, product, zero);
  Value isOn = f.compare(CompareKind::Gt, product, zero);
  Value isFlat = f.compare(CompareKind::Eq, product, zero);
  // A NaN stays a NaN.
  Value factor = f.select(isFlat, f.fill(product, 1.0), product);
  factor = f.select(isOn, f.fill(product, number(getEtaPlus())), factor);
  factor = f.select(isBack, f.fill(product, number(getEtaMinus())), factor);
  // All steps start with the step size.
  Value isFirst =
      f.spread(f.compare(CompareKind::Eq, shared[0], 0.0), parameter);
  Value size =
      f.select(isFirst, f.convertAndSpread(rate, parameter), states[1]);
  size = f.max(f.mul(size, factor), number(getStepMin()));
  size = f.min(size, f.fill(size, number(getStepMax())));
  Value taken = f.select(isBack, zero, gradient);
  Value moved = f.sub(parameter, f.mul(f.sign(taken), size));
  return {moved, taken, size};
}
