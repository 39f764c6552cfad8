// See LossScaler.h.

#include "LossScaler.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

LogicalResult LossScaler::read() {
  auto precision = readPrecision(options, program.module.getLoc());
  if (failed(precision))
    return failure();
  settings = precision->lossScale;
  if (settings.kind != LossScale::Kind::Dynamic ||
      options.kind != ProgramKind::Train)
    return success();
  Builder &builder = program.builder;
  auto add = [&](const char *name, Type element, double fill) {
    StepArgument &argument =
        program.add(Role::State, std::string("loss_scale.") + name,
                    RankedTensorType::get({}, element));
    argument.attributes.set(program::kInitialAttr,
                            builder.getDictionaryAttr(builder.getNamedAttr(
                                "fill", builder.getF64FloatAttr(fill))));
    return &argument;
  };
  state = add("scale", builder.getF32Type(), settings.initial);
  state->isSeen = true;
  tracker = add("growth_tracker", builder.getI32Type(), 0.0);
  return success();
}

Value LossScaler::scale(Value loss) {
  if (settings.kind == LossScale::Kind::None)
    return loss;
  repro::FormulaBuilder f(program.builder, loss.getLoc());
  if (!state)
    return f.mul(settings.initial, loss);
  return f.mul(loss, f.convertAndSpread(state->inner, loss));
}

/// True if no element is infinite or NaN: a NaN is not less than infinity.
Value LossScaler::findFinite(ArrayRef<Value> gradients) {
  OpBuilder &builder = program.builder;
  Value all;
  for (Value gradient : gradients) {
    Location location = gradient.getLoc();
    repro::FormulaBuilder f(builder, location);
    Value own = f.compare(CompareKind::Lt, f.abs(gradient),
                          std::numeric_limits<double>::infinity());
    if (const int64_t rank = repro::typeOf(own).getRank())
      own = repro::createReduce(builder, location, repro::ReduceKind::And, own,
                                0, rank - 1);
    all = all ? f.bitAnd(all, own) : own;
  }
  return all;
}

void LossScaler::unscale(MutableArrayRef<Value> gradients) {
  if (settings.kind == LossScale::Kind::None)
    return;
  for (Value &gradient : gradients) {
    repro::FormulaBuilder f(program.builder, gradient.getLoc());
    gradient = state
                   ? f.div(gradient, f.convertAndSpread(state->value, gradient))
                   : f.div(gradient, settings.initial);
  }
  if (state)
    finite = findFinite(gradients);
}

/// Computes the next scale and its number of successful steps, as
/// torch.amp.GradScaler does (scale_r3).
void LossScaler::advance() {
  repro::FormulaBuilder f(program.builder, program.forward.getLoc());
  Value scale = state->value, steps = tracker->value;
  Value more = f.add(steps, f.integers(steps, 1));
  Value isGrown = f.compare(CompareKind::Eq, more,
                            f.integers(steps, settings.growthInterval));
  Value larger = f.mul(settings.growthFactor, scale);
  // The scale does not grow if it would become infinite.
  Value canGrow = f.compare(CompareKind::Lt, larger,
                            std::numeric_limits<double>::infinity());
  Value grown = f.select(f.bitAnd(isGrown, canGrow), larger, scale);
  state->next = f.select(finite, grown, f.mul(settings.backoffFactor, scale));
  Value none = f.integers(steps, 0);
  tracker->next = f.select(finite, f.select(isGrown, none, more), none);
}

void LossScaler::finish() {
  if (!state || !finite)
    return;
  OpBuilder &builder = program.builder;
  for (Role role : {Role::Parameter, Role::State, Role::Average})
    for (StepArgument *argument : program.select(role)) {
      if (!argument->next || argument == state || argument == tracker)
        continue;
      repro::FormulaBuilder f(builder, argument->next.getLoc());
      argument->next = f.select(f.spread(finite, argument->next),
                                argument->next, argument->value);
    }
  advance();
  program.addResult(state->value, Role::Metric, "loss_scale");
}
