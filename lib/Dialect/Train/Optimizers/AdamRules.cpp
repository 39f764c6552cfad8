// Adam and AdamW (optimizer_r3, optimizer_r4).

#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

template <class Rule>
static OptimizerRuleInterface readAdam(RecipeObject &recipe,
                                       double weightDecay) {
  auto n = AdamNumbers::read(recipe, 1e-8, weightDecay);
  return Rule::getChecked([&] { return recipe.error(); }, recipe.getContext(),
                          n.beta1, n.beta2, n.eps, n.weightDecay,
                          recipe.flagAttr("amsgrad", false),
                          recipe.flag("tensorflow_eps", false));
}

OptimizerRuleInterface AdamAttr::read(RecipeObject &recipe) {
  if (recipe.flag("decoupled_weight_decay", false))
    return readAdam<AdamWAttr>(recipe, 0.0);
  return readAdam<AdamAttr>(recipe, 0.0);
}

OptimizerRuleInterface AdamWAttr::read(RecipeObject &recipe) {
  if (!recipe.flag("decoupled_weight_decay", true))
    recipe.error() << "'decoupled_weight_decay' is true in AdamW; Adam can do "
                      "without";
  return readAdam<AdamWAttr>(recipe, 1e-2);
}

static SmallVector<OptimizerState> getAdamStates(RankedTensorType type,
                                                 bool amsgrad) {
  SmallVector<OptimizerState> states = getMomentStates(type);
  if (amsgrad)
    states.push_back({"max_exp_avg_sq", type});
  return states;
}

// The step after weight decay, in the order of torch.optim's single-tensor
// form.
template <class Rule>
static SmallVector<Value> buildAdam(repro::FormulaBuilder &f, Rule rule,
                                    const UpdateInputs &in) {
  auto [mean, square] = Moments(f, rule.getBeta1(), rule.getBeta2(), in);
  SmallVector<Value> results = {nullptr, mean, square};
  Value divisor = square;
  if (rule.getAmsgrad().getValue()) {
    divisor = f.max(in.states[2], square);
    results.push_back(divisor);
  }
  SmallVector<Value> powers = rule.buildAdvance(f, in.shared);
  auto stepOf = [&](Value rate) {
    return f.neg(f.div(rate, f.sub(1.0, powers[0])));
  };
  Value step, root;
  if (rule.getTensorflowEps()) {
    step = stepOf(f.mul(in.rate, f.sqrt(f.sub(1.0, powers[1]))));
    root = f.sqrt(divisor);
  } else {
    step = stepOf(in.rate);
    Value correction = f.sqrt(f.sub(1.0, powers[1]));
    root = f.sqrt(divisor);
    root = f.div(root, f.convertAndSpread(correction, in.parameter));
  }
  root = f.add(root, number(rule.getEps()));
  results[0] = addQuotient(f, in.parameter, step, mean, root);
  return results;
}

LogicalResult AdamAttr::verify(EmitError emitError, FloatAttr beta1,
                               FloatAttr beta2, FloatAttr eps,
                               FloatAttr weightDecay, BoolAttr, bool) {
  return AdamNumbers{beta1, beta2, eps, weightDecay}.verify(emitError);
}

SmallVector<OptimizerState> AdamAttr::getStates(RankedTensorType type) const {
  return getAdamStates(type, getAmsgrad().getValue());
}

SmallVector<OptimizerState> AdamAttr::getSharedStates() const {
  return getBetaPowers(getContext());
}

SmallVector<Value> AdamAttr::buildAdvance(repro::FormulaBuilder &f,
                                          ValueRange shared) const {
  return advanceBetaPowers(f, getBeta1(), getBeta2(), shared);
}

SmallVector<Value> AdamAttr::buildUpdate(repro::FormulaBuilder &f,
                                         const UpdateInputs &in) const {
  return buildAdam(f, *this,
                   decayed(f, getWeightDecay(), /*isDecoupled=*/false, in));
}

LogicalResult AdamWAttr::verify(EmitError emitError, FloatAttr beta1,
                                FloatAttr beta2, FloatAttr eps,
                                FloatAttr weightDecay, BoolAttr, bool) {
  return AdamNumbers{beta1, beta2, eps, weightDecay}.verify(emitError);
}

SmallVector<OptimizerState> AdamWAttr::getStates(RankedTensorType type) const {
  return getAdamStates(type, getAmsgrad().getValue());
}

SmallVector<OptimizerState> AdamWAttr::getSharedStates() const {
  return getBetaPowers(getContext());
}

SmallVector<Value> AdamWAttr::buildAdvance(repro::FormulaBuilder &f,
                                           ValueRange shared) const {
  return advanceBetaPowers(f, getBeta1(), getBeta2(), shared);
}

SmallVector<Value> AdamWAttr::buildUpdate(repro::FormulaBuilder &f,
                                          const UpdateInputs &in) const {
  return buildAdam(f, *this,
                   decayed(f, getWeightDecay(), /*isDecoupled=*/true, in));
}
