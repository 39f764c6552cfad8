// Schedules that are powers of a constant (schedule_r5).

#include "ScheduleFormulas.h"

#include <cmath>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

static LogicalResult checkGamma(EmitError emitError, FloatAttr gamma) {
  if (!(number(gamma) > 0.0 && std::isfinite(number(gamma))))
    return emitError() << "gamma " << number(gamma) << " is not above 0";
  return success();
}

static FloatAttr readGamma(RecipeObject &recipe) {
  return recipe.numberAttr("gamma", 0.1, NumberRange::above(0.0));
}

/// `base` to an exponent that is known at run time only: the product of the
/// squares g, g^2, g^4, ... that the exponent's bits select. They are
/// constants, up to the first that is 0 or infinite: every higher power has it
/// as a factor.
Value train::buildPowerOf(OpBuilder &builder, Location location, Value exponent,
                          double base) {
  repro::FormulaBuilder f(builder, location);
  Value one = buildNumber(builder, location, 1.0), result;
  double square = base;
  for (unsigned bit = 0; bit < 63; ++bit, square *= square) {
    bool isLast = square == 0.0 || std::isinf(square) || square == 1.0;
    Value mask = f.integers(exponent, int64_t(1) << bit);
    Value isPicked =
        isLast ? f.compare(CompareKind::Ge, exponent, mask)
               : f.compare(CompareKind::Eq, f.bitAnd(exponent, mask), mask);
    Value factor =
        f.select(isPicked, buildNumber(builder, location, square), one);
    result = result ? f.mul(result, factor) : factor;
    if (isLast)
      break;
  }
  return result;
}

LogicalResult ExponentialScheduleAttr::verify(EmitError emitError,
                                              FloatAttr gamma) {
  return checkGamma(emitError, gamma);
}

ScheduleInterface ExponentialScheduleAttr::read(RecipeObject &recipe, int64_t) {
  if (failed(recipe.require("gamma")))
    return nullptr;
  return get(recipe.getContext(), readGamma(recipe));
}

Value ExponentialScheduleAttr::buildFactor(OpBuilder &builder,
                                           Location location, Value step,
                                           ValueRange) const {
  return buildPowerOf(builder, location, step, number(getGamma()));
}

LogicalResult StepScheduleAttr::verify(EmitError emitError, int64_t size,
                                       FloatAttr gamma) {
  if (failed(checkSteps(emitError, "size", size)))
    return failure();
  return checkGamma(emitError, gamma);
}

ScheduleInterface StepScheduleAttr::read(RecipeObject &recipe, int64_t) {
  if (failed(recipe.require("step_size")))
    return nullptr;
  auto size = recipe.integer("step_size", 1, kMostSteps);
  return get(recipe.getContext(), size.value_or(1), readGamma(recipe));
}

Value StepScheduleAttr::buildFactor(OpBuilder &builder, Location location,
                                    Value step, ValueRange) const {
  repro::FormulaBuilder f(builder, location);
  return buildPowerOf(builder, location,
                      f.div(step, f.integers(step, getSize())),
                      number(getGamma()));
}

LogicalResult MultiStepScheduleAttr::verify(EmitError emitError,
                                            DenseI64ArrayAttr milestones,
                                            FloatAttr gamma) {
  if (!llvm::is_sorted(milestones.asArrayRef()))
    return emitError() << "milestones are not ascending";
  return checkGamma(emitError, gamma);
}

ScheduleInterface MultiStepScheduleAttr::read(RecipeObject &recipe, int64_t) {
  if (failed(recipe.require("milestones")))
    return nullptr;
  auto milestones = recipe.integers("milestones", 0, kMostSteps);
  constexpr size_t most = 1000;
  if (milestones.size() > most) {
    recipe.error() << "'milestones' has " << milestones.size()
                   << " entries, more than " << most;
    return nullptr;
  }
  llvm::sort(milestones);
  return get(recipe.getContext(),
             DenseI64ArrayAttr::get(recipe.getContext(), milestones),
             readGamma(recipe));
}

Value MultiStepScheduleAttr::buildFactor(OpBuilder &builder, Location location,
                                         Value step, ValueRange) const {
  repro::FormulaBuilder f(builder, location);
  Value one = buildNumber(builder, location, 1.0), result = one;
  Value gamma = buildNumber(builder, location, number(getGamma()));
  for (int64_t milestone : getMilestones().asArrayRef()) {
    Value isReached =
        f.compare(CompareKind::Ge, step, f.integers(step, milestone));
    result = f.mul(result, f.select(isReached, gamma, one));
  }
  return result;
}
