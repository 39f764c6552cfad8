// Cosine schedules (schedule_r4, schedule_r8, schedule_r9).

#include "ScheduleFormulas.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

// (1 + cos(pi x)) / 2 is sin^2(pi (1 - x) / 2) and 1 - sin^2(pi x / 2). Only
// the sine of at most pi / 4 is needed, for the smaller of x and 1 - x, so the
// result is accurate near 0, and is exactly 1 at 0 and 0 at 1. The sine is a
// truncated series in x whose relative error is below 2^-62.
Value train::buildHalfCosine(repro::FormulaBuilder &f, Value done, Value left) {
  // (-1)^k (pi/2)^(2k+1) / (2k+1)!, k from 0, rounded to f64.
  static constexpr double series[] = {
      0x1.921fb54442d18p+0,  -0x1.4abbce625be53p-1,  0x1.466bc6775aae2p-4,
      -0x1.32d2cce62bd86p-8, 0x1.50783487ee782p-13,  -0x1.e3074fde8871fp-19,
      0x1.e8f434d018d63p-25, -0x1.6fadb9f155744p-31, 0x1.aaec32af93359p-38};
  Value isFirstHalf = f.compare(CompareKind::Lt, done, left);
  Value x = f.select(isFirstHalf, done, left);
  Value square = f.mul(x, x);
  Value sum = f.fill(x, series[8]);
  for (int k = 7; k >= 0; --k)
    sum = f.add(f.mul(sum, square), series[k]);
  Value sine = f.mul(x, sum);
  Value below = f.mul(sine, sine);
  return f.select(isFirstHalf, f.sub(1.0, below), below);
}

LogicalResult CosineScheduleAttr::verify(EmitError emitError, int64_t steps,
                                         FloatAttr final) {
  if (failed(checkSteps(emitError, "steps", steps)))
    return failure();
  return checkNotNegative(emitError, {{"final", final}});
}

ScheduleInterface CosineScheduleAttr::read(RecipeObject &recipe,
                                           int64_t warmup) {
  auto steps = readLength(recipe, warmup);
  FloatAttr final = recipe.numberAttr("final", 0.0, kNotNegative);
  return steps ? get(recipe.getContext(), *steps, final) : nullptr;
}

Value CosineScheduleAttr::buildFactor(OpBuilder &builder, Location location,
                                      Value step, ValueRange) const {
  repro::FormulaBuilder f(builder, location);
  auto [done, left] = buildProgress(f, step, getSteps());
  double steps = static_cast<double>(getSteps());
  Value gone = f.div(done, steps);
  Value rest = f.div(left, steps);
  return buildFall(f, buildHalfCosine(f, gone, rest), number(getFinal()));
}

namespace {
/// A part of a cycle: from one factor to another until a step that may be
/// fractional.
struct Phase {
  double end, from, to;
};
} // namespace

/// The phases of torch.optim.lr_scheduler.OneCycleLR, as factors of max_lr.
static SmallVector<Phase> getPhases(OneCycleScheduleAttr schedule) {
  auto steps = static_cast<double>(schedule.getSteps());
  double rise = number(schedule.getRise());
  double begin = 1.0 / number(schedule.getDiv());
  double end = begin / number(schedule.getFinalDiv());
  if (schedule.getThreePhase().getValue())
    return {{rise * steps - 1.0, begin, 1.0},
            {2.0 * rise * steps - 2.0, 1.0, begin},
            {steps - 1.0, begin, end}};
  return {{rise * steps - 1.0, begin, 1.0}, {steps - 1.0, 1.0, end}};
}

LogicalResult OneCycleScheduleAttr::verify(EmitError emitError, int64_t steps,
                                           FloatAttr rise, FloatAttr div,
                                           FloatAttr finalDiv, BoolAttr,
                                           BoolAttr threePhase) {
  if (failed(checkSteps(emitError, "steps", steps)))
    return failure();
  for (auto [name, value] :
       {NamedNumber("div", div), NamedNumber("final_div", finalDiv)})
    if (!(number(value) > 0.0))
      return emitError() << name << " " << number(value) << " is not above 0";
  // Each phase must have a positive length.
  double first = number(rise) * static_cast<double>(steps) - 1.0;
  double second = threePhase.getValue() ? 2.0 * first : first;
  if (!(first > 0.0 && second < static_cast<double>(steps) - 1.0))
    return emitError() << "a rise in " << number(rise) << " of " << steps
                       << " steps leaves a phase without a step";
  return success();
}

ScheduleInterface OneCycleScheduleAttr::read(RecipeObject &recipe,
                                             int64_t warmup) {
  if (warmup > 0) {
    recipe.error() << "'one_cycle' rises by itself; 'warmup_steps' is not for "
                      "it";
    return nullptr;
  }
  auto steps = readLength(recipe, 0);
  FloatAttr rise =
      recipe.numberAttr("pct_start", 0.3, NumberRange::between(0.0, 1.0));
  FloatAttr div =
      recipe.numberAttr("div_factor", 25.0, NumberRange::above(0.0));
  FloatAttr finalDiv =
      recipe.numberAttr("final_div_factor", 1e4, NumberRange::above(0.0));
  bool isLinear = false;
  if (recipe.has("anneal_strategy"))
    isLinear = recipe.choice("anneal_strategy", "strategy",
                             {"cos", "linear"}) == size_t(1);
  BoolAttr threePhase = recipe.flagAttr("three_phase", false);
  if (!steps || recipe.failed())
    return nullptr;
  return getChecked([&] { return recipe.error(); }, recipe.getContext(), *steps,
                    rise, div, finalDiv,
                    BoolAttr::get(recipe.getContext(), isLinear), threePhase);
}

Value OneCycleScheduleAttr::buildFactor(OpBuilder &builder, Location location,
                                        Value step, ValueRange) const {
  repro::FormulaBuilder f(builder, location);
  Value steps = f.convert(step, builder.getF64Type());
  Value last = f.fill(steps, static_cast<double>(getSteps() - 1));
  steps = f.select(f.compare(CompareKind::Gt, steps, last), last, steps);
  SmallVector<Phase> phases = getPhases(*this);
  SmallVector<Value> factors;
  double start = 0.0;
  for (const Phase &phase : phases) {
    // The step is clamped to this phase, so that the factor of a phase that is
    // not selected is finite too.
    Value done = f.div(f.sub(steps, f.fill(steps, start)), phase.end - start);
    Value zero = f.fill(done, 0.0), one = f.fill(done, 1.0);
    done = f.select(f.compare(CompareKind::Lt, done, zero), zero, done);
    done = f.select(f.compare(CompareKind::Gt, done, one), one, done);
    if (getLinear().getValue())
      factors.push_back(f.add(f.mul(phase.to - phase.from, done), phase.from));
    else
      factors.push_back(f.add(f.mul(phase.from - phase.to,
                                    buildHalfCosine(f, done, f.sub(1.0, done))),
                              phase.to));
    start = phase.end;
  }
  Value result = factors.back();
  for (size_t i = factors.size() - 1; i-- > 0;)
    result = f.select(f.compare(CompareKind::Le, steps, phases[i].end),
                      factors[i], result);
  return result;
}

LogicalResult CosineRestartsScheduleAttr::verify(EmitError emitError,
                                                 int64_t steps, int64_t growth,
                                                 FloatAttr final) {
  if (failed(checkSteps(emitError, "steps", steps)) ||
      failed(checkSteps(emitError, "growth", growth)))
    return failure();
  return checkNotNegative(emitError, {{"final", final}});
}

ScheduleInterface CosineRestartsScheduleAttr::read(RecipeObject &recipe,
                                                   int64_t) {
  if (failed(recipe.require("T_0")))
    return nullptr;
  auto steps = recipe.integer("T_0", 1, kMostSteps);
  auto growth = recipe.integer("T_mult", 1, kMostSteps);
  FloatAttr final = recipe.numberAttr("final", 0.0, kNotNegative);
  if (!steps || recipe.failed())
    return nullptr;
  return get(recipe.getContext(), *steps, growth.value_or(1), final);
}

Value CosineRestartsScheduleAttr::buildFactor(OpBuilder &builder,
                                              Location location, Value step,
                                              ValueRange) const {
  repro::FormulaBuilder f(builder, location);
  Value begin, length = f.integers(step, getSteps());
  if (getGrowth() == 1) {
    begin = f.mul(f.div(step, length), length);
  } else {
    // The starts of cycles are constants, and there are few of them: each cycle
    // is at least twice as long as the one before.
    begin = f.integers(step, 0);
    int64_t start = 0, size = getSteps();
    while (!llvm::AddOverflow(start, size, start) && start <= kMostSteps &&
           !llvm::MulOverflow(size, getGrowth(), size)) {
      Value isBegun = f.compare(CompareKind::Ge, step, f.integers(step, start));
      begin = f.select(isBegun, f.integers(step, start), begin);
      length = f.select(isBegun, f.integers(step, size), length);
    }
  }
  Value done = f.sub(step, begin);
  Value left = f.sub(length, done);
  Type f64 = builder.getF64Type();
  length = f.convert(length, f64);
  Value gone = f.div(f.convert(done, f64), length);
  Value rest = f.div(f.convert(left, f64), length);
  return buildFall(f, buildHalfCosine(f, gone, rest), number(getFinal()));
}
