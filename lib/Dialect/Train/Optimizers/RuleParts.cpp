// Helpers shared by optimizers; see RuleParts.h.

#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

std::pair<FloatAttr, FloatAttr>
train::readBetas(RecipeObject &recipe, std::pair<double, double> otherwise) {
  auto [beta1, beta2] =
      recipe.pair("betas", otherwise, NumberRange::from(0.0, 1.0));
  Builder builder(recipe.getContext());
  return {builder.getF64FloatAttr(beta1), builder.getF64FloatAttr(beta2)};
}

AdamNumbers AdamNumbers::read(RecipeObject &recipe, double eps,
                              double weightDecay) {
  auto [beta1, beta2] = readBetas(recipe, {0.9, 0.999});
  return {beta1, beta2, recipe.numberAttr("eps", eps, kNotNegative),
          recipe.numberAttr("weight_decay", weightDecay, kNotNegative)};
}

LogicalResult AdamNumbers::verify(EmitError emitError) const {
  if (failed(checkNotNegative(emitError,
                              {{"eps", eps}, {"weight_decay", weightDecay}})))
    return failure();
  return checkBelowOne(emitError, {{"beta1", beta1}, {"beta2", beta2}});
}

SmallVector<OptimizerState> train::getMomentStates(RankedTensorType type) {
  return {{"exp_avg", type}, {"exp_avg_sq", type}};
}

Moments::Moments(repro::FormulaBuilder &f, FloatAttr beta1, FloatAttr beta2,
                 const UpdateInputs &in)
    : mean(f.lerp(in.states[0], in.gradient, 1.0 - number(beta1))),
      square(meanSquare(f, number(beta2), in.states[1], in.gradient)) {}

SmallVector<OptimizerState> train::getBetaPowers(MLIRContext *context) {
  return {sharedNumber(context, "beta1_power", 1.0),
          sharedNumber(context, "beta2_power", 1.0)};
}

SmallVector<Value> train::advanceBetaPowers(repro::FormulaBuilder &f,
                                            FloatAttr beta1, FloatAttr beta2,
                                            ValueRange powers) {
  return {f.mul(number(beta1), powers[0]), f.mul(number(beta2), powers[1])};
}

OptimizerState train::sharedNumber(MLIRContext *context, StringRef name,
                                   double fill) {
  return {name, RankedTensorType::get({}, Float64Type::get(context)), fill};
}

Value train::decayGradient(repro::FormulaBuilder &f, FloatAttr decay,
                           Value parameter, Value gradient) {
  return isZero(decay) ? gradient : f.fma(number(decay), parameter, gradient);
}

Value train::decayParameter(repro::FormulaBuilder &f, FloatAttr decay,
                            Value rate, Value parameter) {
  if (isZero(decay))
    return parameter;
  Value kept = f.sub(1.0, f.mul(number(decay), rate));
  return f.mul(f.convertAndSpread(kept, parameter), parameter);
}

UpdateInputs train::decayed(repro::FormulaBuilder &f, FloatAttr decay,
                            bool isDecoupled, const UpdateInputs &in) {
  UpdateInputs result = in;
  if (isDecoupled)
    result.parameter = decayParameter(f, decay, in.rate, in.parameter);
  else
    result.gradient = decayGradient(f, decay, in.parameter, in.gradient);
  return result;
}

Value train::meanSquare(repro::FormulaBuilder &f, double beta, Value mean,
                        Value value) {
  Value kept = f.mul(beta, mean);
  return f.add(kept, f.mul(f.mul(1.0 - beta, value), value));
}

Value train::addQuotient(repro::FormulaBuilder &f, Value parameter, Value step,
                         Value direction, Value divisor) {
  Value product = f.mul(f.convertAndSpread(step, parameter), direction);
  return f.add(parameter, f.div(product, divisor));
}
