// Checks a recipe independently of the model, before a large model is read.

#include "gensyn/Dialect/Train/IR/Registry.h"
#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

LogicalResult train::checkTrainingOptions(const TrainingOptions &options,
                                          Location location) {
  if (options.kind == ProgramKind::Infer)
    return success();
  RecipeObject loss("recipe: loss", options.recipe.objects.loss, location);
  if (!findLossKind(loss))
    return failure();
  if (options.kind != ProgramKind::Train)
    return success();
  // Groups are checked together with the parameters that they match.
  nlohmann::json own = options.recipe.objects.optimizer;
  own.erase("groups");
  RecipeObject optimizer("recipe: optimizer", own, location);
  (void)optimizer.has("groups");
  if (failed(readOptimizer(optimizer)))
    return failure();
  const auto &written = options.recipe.objects.schedule;
  if (!written)
    return success();
  RecipeObject schedule("recipe: schedule", *written, location);
  return success(bool(readSchedule(schedule)));
}
