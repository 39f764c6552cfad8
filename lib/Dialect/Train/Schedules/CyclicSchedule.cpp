// A piecewise linear cyclic schedule (schedule_r10).

#include "ScheduleFormulas.h"

#include <cmath>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

static constexpr StringLiteral modes[] = {"triangular", "triangular2",
                                          "exp_range"};

LogicalResult CyclicScheduleAttr::verify(EmitError emitError, int64_t up,
                                         int64_t down, FloatAttr div,
                                         StringAttr mode, FloatAttr gamma) {
  if (failed(checkSteps(emitError, "up", up)) ||
      failed(checkSteps(emitError, "down", down)) ||
      failed(checkSteps(emitError, "up + down", up + down)))
    return failure();
  for (auto [name, value] :
       {NamedNumber("div", div), NamedNumber("gamma", gamma)})
    if (!(number(value) > 0.0 && std::isfinite(number(value))))
      return emitError() << name << " " << number(value) << " is not above 0";
  if (!llvm::is_contained(modes, mode.getValue()))
    return emitError() << "mode '" << mode.getValue() << "' is not known";
  return success();
}

ScheduleInterface CyclicScheduleAttr::read(RecipeObject &recipe, int64_t) {
  if (failed(recipe.require("div_factor")))
    return nullptr;
  FloatAttr div = recipe.numberAttr("div_factor", 1.0, NumberRange::above(0.0));
  const int64_t up =
      recipe.integer("step_size_up", 1, kMostSteps).value_or(2000);
  const int64_t down =
      recipe.integer("step_size_down", 1, kMostSteps).value_or(up);
  size_t mode = 0;
  if (recipe.has("mode"))
    mode =
        recipe
            .choice("mode", "mode",
                    SmallVector<StringRef>(std::begin(modes), std::end(modes)))
            .value_or(0);
  FloatAttr gamma = recipe.numberAttr("gamma", 1.0, NumberRange::above(0.0));
  if (recipe.failed())
    return nullptr;
  return getChecked([&] { return recipe.error(); }, recipe.getContext(), up,
                    down, div,
                    StringAttr::get(recipe.getContext(), modes[mode]), gamma);
}

Value CyclicScheduleAttr::buildFactor(OpBuilder &builder, Location location,
                                      Value step, ValueRange) const {
  repro::FormulaBuilder f(builder, location);
  Type f64 = builder.getF64Type();
  Value whole = f.integers(step, getUp() + getDown());
  Value cycle = f.div(step, whole);
  Value done = f.sub(step, f.mul(cycle, whole));
  Value left = f.sub(whole, done);
  Value isRising = f.compare(CompareKind::Le, done, f.integers(step, getUp()));
  Value rise = f.div(f.convert(done, f64), static_cast<double>(getUp()));
  Value fall = f.div(f.convert(left, f64), static_cast<double>(getDown()));
  Value share = f.select(isRising, rise, fall);
  if (getMode() == "triangular2")
    share = f.mul(share, buildPowerOf(builder, location, cycle, 0.5));
  else if (getMode() == "exp_range")
    share =
        f.mul(share, buildPowerOf(builder, location, step, number(getGamma())));
  return buildFall(f, share, 1.0 / number(getDiv()));
}

ScheduleInterface PlateauScheduleAttr::read(RecipeObject &recipe, int64_t) {
  // The training loop interprets these keys; they are only checked here.
  recipe.text("metric", "eval_loss");
  if (recipe.has("mode"))
    recipe.choice("mode", "mode", {"min", "max"});
  recipe.number(
      "factor", 0.1,
      {.low = 0.0, .high = 1.0, .withoutLow = true, .withoutHigh = true});
  recipe.integer("patience", 0, kMostSteps);
  recipe.number("threshold", 1e-4, kNotNegative);
  if (recipe.has("threshold_mode"))
    recipe.choice("threshold_mode", "mode", {"rel", "abs"});
  recipe.integer("cooldown", 0, kMostSteps);
  recipe.number("final", 0.0, kNotNegative);
  recipe.number("eps", 1e-8, kNotNegative);
  if (recipe.failed())
    return nullptr;
  return get(recipe.getContext());
}

SmallVector<OptimizerState> PlateauScheduleAttr::getStates() const {
  return {{"factor", RankedTensorType::get({}, Float64Type::get(getContext())),
           1.0}};
}

Value PlateauScheduleAttr::buildFactor(OpBuilder &, Location, Value,
                                       ValueRange states) const {
  return states[0];
}
