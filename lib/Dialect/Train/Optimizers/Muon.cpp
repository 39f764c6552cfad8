// Muon in PyTorch's form (optimizer_r16).

#include "../IR/RuleNumbers.h"
#include "RuleParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

OptimizerRuleInterface MuonAttr::read(RecipeObject &recipe) {
  std::vector<double> coefficients = recipe.numbers("ns_coefficients");
  if (coefficients.empty())
    coefficients = {3.4445, -4.7750, 2.0315};
  if (coefficients.size() != 3) {
    recipe.error() << "'ns_coefficients' is not a list of three numbers";
    return {};
  }
  auto adjust = MuonAdjust::Original;
  if (recipe.has("adjust_lr_fn")) {
    SmallVector<StringRef> words;
    for (uint32_t i = 0; i <= getMaxEnumValForMuonAdjust(); ++i)
      words.push_back(stringifyMuonAdjust(MuonAdjust(i)));
    auto index = recipe.choice("adjust_lr_fn", "adjust_lr_fn", words);
    adjust = MuonAdjust(index.value_or(0));
  }
  Builder builder(recipe.getContext());
  return getChecked([&] { return recipe.error(); }, recipe.getContext(),
                    recipe.numberAttr("weight_decay", 0.1, kNotNegative),
                    recipe.numberAttr("momentum", 0.95, kNotNegative),
                    recipe.flagAttr("nesterov", true),
                    builder.getF64FloatAttr(coefficients[0]),
                    builder.getF64FloatAttr(coefficients[1]),
                    builder.getF64FloatAttr(coefficients[2]),
                    recipe.numberAttr("eps", 1e-7, kNotNegative),
                    recipe.integer("ns_steps", 0, 99).value_or(5), adjust);
}

LogicalResult MuonAttr::verify(EmitError emitError, FloatAttr weightDecay,
                               FloatAttr momentum, BoolAttr, FloatAttr a,
                               FloatAttr b, FloatAttr c, FloatAttr eps,
                               int64_t nsSteps, MuonAdjust) {
  if (failed(checkNotNegative(emitError, {{"weight_decay", weightDecay},
                                          {"momentum", momentum},
                                          {"eps", eps}})) ||
      failed(checkFinite(emitError, {{"a", a}, {"b", b}, {"c", c}})))
    return failure();
  if (nsSteps < 0 || nsSteps >= 100)
    return emitError() << "ns_steps " << nsSteps << " is not between 0 and 99";
  return success();
}

std::string MuonAttr::getRefusal(RankedTensorType type) const {
  if (type.getRank() == 2)
    return {};
  return "is not a matrix, and Muon supports matrices only; add a group with "
         "another kind of optimizer for it";
}

/// The nearest orthogonal matrix of the transposed matrix is the transpose, but
/// the factor of the step size may differ.
StorageFreedom MuonAttr::getStorageFreedom() const {
  return getAdjustLrFn() == MuonAdjust::MatchRmsAdamW
             ? StorageFreedom::Transposition
             : StorageFreedom::None;
}

SmallVector<OptimizerState> MuonAttr::getStates(RankedTensorType type) const {
  return {{"momentum_buffer", type}};
}

/// Newton-Schulz iteration in bf16; each product is summed in f32.
static Value orthogonalize(repro::FormulaBuilder &f, MuonAttr rule,
                           Value matrix) {
  OpBuilder &builder = f.getBuilder();
  Location location = f.getLocation();
  auto rounded = [&](Value value) {
    return f.convert(f.convert(value, builder.getBF16Type()),
                     builder.getF32Type());
  };
  auto type = repro::typeOf(matrix);
  // The smaller of the two products with its own transpose.
  bool tall = type.getDimSize(0) > type.getDimSize(1);
  Value x = rounded(matrix);
  Value norm = rounded(f.norm(x));
  norm = f.max(norm, rounded(f.fill(norm, number(rule.getEps()))));
  x = rounded(f.div(x, f.spread(norm, x)));
  for (int64_t i = 0; i < rule.getNsSteps(); ++i) {
    Value gram =
        rounded(repro::createMatmul(builder, location, x, x, tall, !tall));
    Value square = repro::createMatmul(builder, location, gram, gram);
    Value sum = rounded(
        f.fma(number(rule.getB()), gram, f.mul(number(rule.getC()), square)));
    Value product = tall ? repro::createMatmul(builder, location, x, sum)
                         : repro::createMatmul(builder, location, sum, x);
    x = rounded(f.fma(number(rule.getA()), x, product));
  }
  return f.convert(x, type.getElementType());
}

static double shapeFactor(MuonAdjust adjust, RankedTensorType type) {
  double rows = static_cast<double>(type.getDimSize(0));
  double columns = static_cast<double>(type.getDimSize(1));
  switch (adjust) {
  case MuonAdjust::Original:
    return std::sqrt(std::max(1.0, rows / columns));
  case MuonAdjust::MatchRmsAdamW:
    return 0.2 * std::sqrt(std::max(rows, columns));
  case MuonAdjust::SpectralUnclamped:
    return std::sqrt(rows / columns);
  }
  llvm_unreachable("no such adjustment");
}

SmallVector<Value> MuonAttr::buildUpdate(repro::FormulaBuilder &f,
                                         const UpdateInputs &in) const {
  auto [parameter, gradient, rate, states, shared] = in;
  double momentum = number(getMomentum());
  Value mean = f.lerp(states[0], gradient, 1.0 - momentum);
  Value direction =
      getNesterov().getValue() ? f.lerp(gradient, mean, momentum) : mean;
  Value change = orthogonalize(f, *this, direction);
  auto type = repro::typeOf(parameter);
  Value adjusted = f.mul(shapeFactor(getAdjustLrFn(), type), rate);
  Value kept = decayParameter(f, getWeightDecay(), rate, parameter);
  Value minus = f.convertAndSpread(f.neg(adjusted), parameter);
  return {f.fma(minus, change, kept), mean};
}
