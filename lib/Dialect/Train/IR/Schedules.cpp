// Schedules in closed form: constant and warm-up (schedule_r1, schedule_r2).

#include "FormulaBuilder.h"
#include "RuleNumbers.h"
#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "gensyn/Dialect/Train/IR/Train.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

ScheduleInterface ConstantScheduleAttr::read(RecipeObject &recipe, int64_t) {
  return get(recipe.getContext());
}

Value ConstantScheduleAttr::buildFactor(OpBuilder &builder, Location location,
                                        Value) const {
  return repro::createFilled(
      builder, location, RankedTensorType::get({}, builder.getF64Type()), 1.0);
}

LogicalResult WarmupAttr::verify(EmitError emitError, int64_t steps,
                                 FloatAttr start, ScheduleInterface) {
  if (steps < 1)
    return emitError() << "steps " << steps << " is not at least 1";
  return checkNotNegative(emitError, {{"start", start}});
}

Value WarmupAttr::buildFactor(OpBuilder &builder, Location location,
                              Value step) const {
  FormulaBuilder f(builder, location);
  Value length = f.integers(step, getSteps());
  Value rising = f.compare(CompareKind::Lt, step, length);
  Value share = f.div(f.convert(step, builder.getF64Type()),
                      static_cast<double>(getSteps()));
  double start = number(getStart());
  if (start != 0.0)
    share = f.add(f.mul(1.0 - start, share), start);
  // What follows never sees a negative step.
  Value after = f.select(rising, f.integers(step, 0), f.sub(step, length));
  return f.select(rising, share,
                  getNext().buildFactor(builder, location, after));
}
