// Helpers shared by optimizers; see RuleParts.h.

#include "RuleParts.h"

#include "../IR/RuleNumbers.h"

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
