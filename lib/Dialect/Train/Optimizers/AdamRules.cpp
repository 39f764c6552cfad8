// Adam and AdamW (optimizer_r3, optimizer_r4).

#include "../IR/RuleNumbers.h"
#include "RuleParts.h"
#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

namespace {
/// The rule that Adam and AdamW share.
struct AdamNumbers {
  double beta1, beta2, eps;
  bool amsgrad;

  template <class Rule>
  explicit AdamNumbers(Rule rule)
      : beta1(number(rule.getBeta1())), beta2(number(rule.getBeta2())),
        eps(number(rule.getEps())), amsgrad(rule.getAmsgrad().getValue()) {}
};
} // namespace

template <class Rule>
static OptimizerRuleInterface readAdam(RecipeObject &recipe,
                                       double weightDecay) {
  auto [beta1, beta2] = readBetas(recipe, {0.9, 0.999});
  return Rule::getChecked(
      [&] { return recipe.error(); }, recipe.getContext(), beta1, beta2,
      recipe.numberAttr("eps", 1e-8, kNotNegative),
      recipe.numberAttr("weight_decay", weightDecay, kNotNegative),
      recipe.flagAttr("amsgrad", false));
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

static LogicalResult verifyAdam(EmitError emitError, FloatAttr beta1,
                                FloatAttr beta2, FloatAttr eps,
                                FloatAttr weightDecay) {
  if (failed(checkNotNegative(emitError,
                              {{"eps", eps}, {"weight_decay", weightDecay}})))
    return failure();
  return checkBelowOne(emitError, {{"beta1", beta1}, {"beta2", beta2}});
}

static SmallVector<OptimizerState> getAdamStates(RankedTensorType type,
                                                 bool amsgrad) {
  SmallVector<OptimizerState> states = {{"exp_avg", type},
                                        {"exp_avg_sq", type}};
  if (amsgrad)
    states.push_back({"max_exp_avg_sq", type});
  return states;
}

// The powers of the betas for the bias correction, both 1 before the first
// step.
static SmallVector<OptimizerState> getAdamPowers(MLIRContext *context) {
  return {sharedNumber(context, "beta1_power", 1.0),
          sharedNumber(context, "beta2_power", 1.0)};
}

static SmallVector<Value> advancePowers(repro::FormulaBuilder &f, AdamNumbers n,
                                        ValueRange shared) {
  return {f.mul(n.beta1, shared[0]), f.mul(n.beta2, shared[1])};
}

// The step after weight decay, in the order of torch.optim's single-tensor
// form.
static SmallVector<Value> buildAdam(repro::FormulaBuilder &f, AdamNumbers n,
                                    Value parameter, Value gradient, Value rate,
                                    ValueRange states, ValueRange shared) {
  Value mean = f.lerp(states[0], gradient, 1.0 - n.beta1);
  Value square = meanSquare(f, n.beta2, states[1], gradient);
  SmallVector<Value> results = {nullptr, mean, square};
  Value divisor = square;
  if (n.amsgrad) {
    divisor = f.max(states[2], square);
    results.push_back(divisor);
  }
  SmallVector<Value> powers = advancePowers(f, n, shared);
  Value step = f.neg(f.div(rate, f.sub(1.0, powers[0])));
  Value correction = f.sqrt(f.sub(1.0, powers[1]));
  Value root = f.sqrt(divisor);
  root = f.div(root, f.convertAndSpread(correction, parameter));
  root = f.add(root, n.eps);
  results[0] = addQuotient(f, parameter, step, mean, root);
  return results;
}

LogicalResult AdamAttr::verify(EmitError emitError, FloatAttr beta1,
                               FloatAttr beta2, FloatAttr eps,
                               FloatAttr weightDecay, BoolAttr) {
  return verifyAdam(emitError, beta1, beta2, eps, weightDecay);
}

SmallVector<OptimizerState> AdamAttr::getStates(RankedTensorType type) const {
  return getAdamStates(type, getAmsgrad().getValue());
}

SmallVector<OptimizerState> AdamAttr::getSharedStates() const {
  return getAdamPowers(getContext());
}

SmallVector<Value> AdamAttr::buildAdvance(OpBuilder &builder, Location location,
                                          ValueRange shared) const {
  repro::FormulaBuilder f(builder, location);
  return advancePowers(f, AdamNumbers(*this), shared);
}

SmallVector<Value> AdamAttr::buildUpdate(OpBuilder &builder, Location location,
                                         Value parameter, Value gradient,
                                         Value rate, ValueRange states,
                                         ValueRange shared) const {
  repro::FormulaBuilder f(builder, location);
  gradient = decayGradient(f, getWeightDecay(), parameter, gradient);
  return buildAdam(f, AdamNumbers(*this), parameter, gradient, rate, states,
                   shared);
}

LogicalResult AdamWAttr::verify(EmitError emitError, FloatAttr beta1,
                                FloatAttr beta2, FloatAttr eps,
                                FloatAttr weightDecay, BoolAttr) {
  return verifyAdam(emitError, beta1, beta2, eps, weightDecay);
}

SmallVector<OptimizerState> AdamWAttr::getStates(RankedTensorType type) const {
  return getAdamStates(type, getAmsgrad().getValue());
}

SmallVector<OptimizerState> AdamWAttr::getSharedStates() const {
  return getAdamPowers(getContext());
}

SmallVector<Value> AdamWAttr::buildAdvance(OpBuilder &builder,
                                           Location location,
                                           ValueRange shared) const {
  repro::FormulaBuilder f(builder, location);
  return advancePowers(f, AdamNumbers(*this), shared);
}

SmallVector<Value> AdamWAttr::buildUpdate(OpBuilder &builder, Location location,
                                          Value parameter, Value gradient,
                                          Value rate, ValueRange states,
                                          ValueRange shared) const {
  repro::FormulaBuilder f(builder, location);
  parameter = decayParameter(f, getWeightDecay(), rate, parameter);
  return buildAdam(f, AdamNumbers(*this), parameter, gradient, rate, states,
                   shared);
}
