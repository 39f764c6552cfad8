// Running averages of the parameters (average_r1, average_r2).

#include "StepUpdate.h"

#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

LogicalResult StepUpdate::readAverages() {
  const auto &written = options.recipe.objects.ema;
  if (!written)
    return success();
  RecipeObject recipe("recipe: ema", *written, program.module.getLoc());
  decay = recipe.number("decay", 0.999, NumberRange::from(0.0, 1.0));
  warmsUp = recipe.flag("warmup", false);
  recipe.flag("evaluate", true); // used by the runtime
  if (failed(recipe.finish()))
    return failure();
  needStep();
  for (StepArgument *parameter : parameters)
    averages.push_back({&addState(Role::Average, parameter->name,
                                  {"ema", parameter->tensorType(), 0.0})});
  return success();
}

void StepUpdate::buildAverages() {
  if (averages.empty())
    return;
  OpBuilder &builder = program.builder;
  repro::FormulaBuilder f(builder, program.forward.getLoc());
  Value number = stepNumber();
  Value isFirst = f.compare(CompareKind::Eq, number, f.integers(number, 0));
  // The weight of the new value: 1 - decay.
  Value share;
  if (warmsUp) {
    Value done = f.convert(number, builder.getF64Type());
    Value above = f.add(done, 1.0);
    Value rising = f.div(above, f.add(done, 10.0));
    Value low = f.compare(CompareKind::Lt, rising, decay);
    share = f.sub(1.0, f.select(low, rising, f.fill(rising, decay)));
  } else {
    share = repro::createFilled(builder, program.forward.getLoc(),
                                RankedTensorType::get({}, builder.getF64Type()),
                                1.0 - decay);
  }
  for (auto [parameter, average] : llvm::zip_equal(parameters, averages)) {
    Value now = parameter->next, old = average.front()->value;
    Value weight = f.convertAndSpread(share, now);
    Value moved = f.fma(weight, f.sub(now, old), old);
    average.front()->next = f.select(f.spread(isFirst, now), now, moved);
  }
}
