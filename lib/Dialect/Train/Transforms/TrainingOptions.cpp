// Training options: reading them out of a recipe's text.

#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"

#include "Patterns.h"
#include "gensyn/Dialect/Train/IR/RecipeObject.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

bool TrainingOptions::freezes(StringRef name) const {
  return matchesAny(frozen, name);
}

FailureOr<TrainingOptions> train::parseTrainingOptions(StringRef kind,
                                                       StringRef recipe,
                                                       Location location) {
  auto stepKind = llvm::StringSwitch<std::optional<StepKind>>(kind)
                      .Case("infer", StepKind::Infer)
                      .Case("eval", StepKind::Eval)
                      .Case("grad", StepKind::Grad)
                      .Case("train", StepKind::Train)
                      .Default(std::nullopt);
  if (!stepKind)
    return emitError(location)
           << "unknown kind '" << kind
           << "' of program, known are infer, eval, grad, train";
  TrainingOptions options;
  options.kind = *stepKind;

  auto parsed = llvm::json::parse(recipe.trim().empty() ? "{}" : recipe);
  if (!parsed)
    return emitError(location)
           << "recipe: " << llvm::toString(parsed.takeError());
  llvm::json::Object *object = parsed->getAsObject();
  if (!object)
    return emitError(location) << "recipe: it is not a JSON object";
  auto find = [&](StringRef key, auto &result) -> LogicalResult {
    llvm::json::Value *value = object->get(key);
    if (!value)
      return success();
    if (!value->getAsObject())
      return emitError(location) << "recipe: '" << key << "' is not an object";
    result = std::move(*value->getAsObject());
    return success();
  };
  if (failed(find("loss", options.loss)) ||
      failed(find("optimizer", options.optimizer)) ||
      failed(find("schedule", options.schedule)) ||
      failed(find("clip", options.clip)) || failed(find("ema", options.ema)) ||
      failed(find("precision", options.precision)))
    return failure();
  RecipeObject rest("recipe", *object, location);
  options.frozen = rest.texts("frozen");
  rest.texts("remat"); // for what comes behind the freeze; checked here
  constexpr int64_t most = 1 << 20;
  options.accumulate = rest.integer("accumulate", 1, most).value_or(1);
  options.microbatches = options.accumulate;
  if (rest.has("batch_norm"))
    options.trainsBatchNorm =
        rest.choice("batch_norm", "batch_norm", {"as_exported", "train"}) == 1;
  if (rest.has("lost_parameters"))
    options.ignoresLost = rest.choice("lost_parameters", "lost_parameters",
                                      {"refuse", "ignore"}) == 1;
  if (rest.failed())
    return failure();
  return options;
}
