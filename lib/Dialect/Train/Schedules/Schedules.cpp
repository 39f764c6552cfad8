// Constant, linear, polynomial and inverse square root schedules, warm-up, and
// schedules by epochs (schedule_r1, schedule_r2, schedule_r3, schedule_r6,
// schedule_r7, schedule_r12).

#include "ScheduleFormulas.h"

#include <cmath>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

Value train::buildNumber(OpBuilder &builder, Location location, double value) {
  auto scalar = RankedTensorType::get({}, builder.getF64Type());
  return repro::createFilled(builder, location, scalar, value);
}

std::optional<int64_t> train::readLength(RecipeObject &recipe, int64_t warmup) {
  if (failed(recipe.require("total_steps")))
    return std::nullopt;
  auto total = recipe.integer("total_steps", 1, kMostSteps);
  if (total && *total <= warmup) {
    recipe.error() << "'total_steps' is " << *total
                   << ", no more than 'warmup_steps', which it counts too";
    return std::nullopt;
  }
  return total ? std::optional(*total - warmup) : std::nullopt;
}

LogicalResult train::checkSteps(EmitError emitError, StringRef name,
                                int64_t steps) {
  if (steps < 1 || steps > kMostSteps)
    return emitError() << name << " " << steps << " is not from 1 to 2^53";
  return success();
}

Progress train::buildProgress(repro::FormulaBuilder &f, Value step,
                              int64_t steps) {
  Value end = f.integers(step, steps);
  Value beyond = f.compare(CompareKind::Gt, step, end);
  Value done = f.select(beyond, end, step);
  Type f64 = Float64Type::get(step.getContext());
  return {f.convert(done, f64), f.convert(f.sub(end, done), f64)};
}

Value train::buildFall(repro::FormulaBuilder &f, Value share, double final) {
  return final == 0.0 ? share : f.add(f.mul(1.0 - final, share), final);
}

ScheduleInterface ConstantScheduleAttr::read(RecipeObject &recipe, int64_t) {
  return get(recipe.getContext());
}

Value ConstantScheduleAttr::buildFactor(OpBuilder &builder, Location location,
                                        Value, ValueRange) const {
  return buildNumber(builder, location, 1.0);
}

LogicalResult WarmupAttr::verify(EmitError emitError, int64_t steps,
                                 FloatAttr start, ScheduleInterface) {
  if (failed(checkSteps(emitError, "steps", steps)))
    return failure();
  return checkNotNegative(emitError, {{"start", start}});
}

SmallVector<OptimizerState> WarmupAttr::getStates() const {
  return getNext().getStates();
}

Value WarmupAttr::buildFactor(OpBuilder &builder, Location location, Value step,
                              ValueRange states) const {
  repro::FormulaBuilder f(builder, location);
  Value length = f.integers(step, getSteps());
  Value rising = f.compare(CompareKind::Lt, step, length);
  Value share = f.div(f.convert(step, builder.getF64Type()),
                      static_cast<double>(getSteps()));
  share = buildFall(f, share, number(getStart()));
  // The schedule that follows never gets a negative step.
  Value zero = f.integers(step, 0);
  Value after = f.select(rising, zero, f.sub(step, length));
  return f.select(rising, share,
                  getNext().buildFactor(builder, location, after, states));
}

SmallVector<OptimizerState> EachEpochAttr::getStates() const {
  auto integer = RankedTensorType::get({}, IntegerType::get(getContext(), 64));
  SmallVector<OptimizerState> states = {{"epoch", integer, 0.0}};
  llvm::append_range(states, getNext().getStates());
  return states;
}

Value EachEpochAttr::buildFactor(OpBuilder &builder, Location location, Value,
                                 ValueRange states) const {
  return getNext().buildFactor(builder, location, states.front(),
                               states.drop_front());
}

LogicalResult LinearScheduleAttr::verify(EmitError emitError, int64_t steps,
                                         FloatAttr final) {
  if (failed(checkSteps(emitError, "steps", steps)))
    return failure();
  return checkNotNegative(emitError, {{"final", final}});
}

ScheduleInterface LinearScheduleAttr::read(RecipeObject &recipe,
                                           int64_t warmup) {
  auto steps = readLength(recipe, warmup);
  FloatAttr final = recipe.numberAttr("final", 0.0, kNotNegative);
  return steps ? get(recipe.getContext(), *steps, final) : nullptr;
}

Value LinearScheduleAttr::buildFactor(OpBuilder &builder, Location location,
                                      Value step, ValueRange) const {
  repro::FormulaBuilder f(builder, location);
  Value left = buildProgress(f, step, getSteps()).left;
  return buildFall(f, f.div(left, static_cast<double>(getSteps())),
                   number(getFinal()));
}

LogicalResult PolynomialScheduleAttr::verify(EmitError emitError, int64_t steps,
                                             FloatAttr final, FloatAttr power) {
  if (failed(checkSteps(emitError, "steps", steps)))
    return failure();
  if (!(number(power) > 0.0 && std::isfinite(number(power))))
    return emitError() << "power " << number(power) << " is not above 0";
  return checkNotNegative(emitError, {{"final", final}});
}

ScheduleInterface PolynomialScheduleAttr::read(RecipeObject &recipe,
                                               int64_t warmup) {
  auto steps = readLength(recipe, warmup);
  FloatAttr final = recipe.numberAttr("final", 0.0, kNotNegative);
  FloatAttr power = recipe.numberAttr("power", 1.0, NumberRange::above(0.0));
  return steps ? get(recipe.getContext(), *steps, final, power) : nullptr;
}

/// `base` to a positive power: multiples of one half by products and a square
/// root, others by exp and log, with the limit for 0 (schedule_r6).
static Value buildPower(repro::FormulaBuilder &f, Value base, double power) {
  constexpr double mostProducts = 64.0;
  double whole = std::floor(power);
  if ((power != whole && power != whole + 0.5) || power > mostProducts)
    return f.exp(f.mul(power, f.log(base)));
  Value result = power == whole ? nullptr : f.sqrt(base);
  for (auto rest = static_cast<unsigned>(whole); rest != 0; rest >>= 1) {
    if (rest & 1)
      result = result ? f.mul(result, base) : base;
    if (rest > 1)
      base = f.mul(base, base);
  }
  return result;
}

Value PolynomialScheduleAttr::buildFactor(OpBuilder &builder, Location location,
                                          Value step, ValueRange) const {
  repro::FormulaBuilder f(builder, location);
  Value left = buildProgress(f, step, getSteps()).left;
  Value share = f.div(left, static_cast<double>(getSteps()));
  return buildFall(f, buildPower(f, share, number(getPower())),
                   number(getFinal()));
}

LogicalResult InverseSqrtScheduleAttr::verify(EmitError emitError,
                                              int64_t timescale) {
  return checkSteps(emitError, "timescale", timescale);
}

ScheduleInterface InverseSqrtScheduleAttr::read(RecipeObject &recipe,
                                                int64_t warmup) {
  auto timescale = recipe.integer("timescale", 1, kMostSteps);
  return get(recipe.getContext(),
             timescale.value_or(warmup > 0 ? warmup : 10'000));
}

Value InverseSqrtScheduleAttr::buildFactor(OpBuilder &builder,
                                           Location location, Value step,
                                           ValueRange) const {
  repro::FormulaBuilder f(builder, location);
  Value steps = f.convert(step, builder.getF64Type());
  Value share = f.div(steps, static_cast<double>(getTimescale()));
  return f.div(1.0, f.sqrt(f.add(share, 1.0)));
}
