// Errors of a recipe that hold for every model: reported before a large model
// is read.

#include "gensyn/Dialect/Train/IR/Registry.h"
#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

LogicalResult train::checkTrainingOptions(const TrainingOptions &options,
                                          Location location) {
  if (options.kind == StepKind::Infer)
    return success();
  RecipeObject loss("recipe: loss", options.loss, location);
  if (!findLossKind(loss))
    return failure();
  if (options.kind != StepKind::Train)
    return success();
  // Groups are checked with the parameters that they are of.
  llvm::json::Object own = options.optimizer;
  own.erase("groups");
  RecipeObject optimizer("recipe: optimizer", own, location);
  (void)optimizer.has("groups");
  if (failed(readOptimizer(optimizer)))
    return failure();
  if (!options.schedule)
    return success();
  RecipeObject schedule("recipe: schedule", *options.schedule, location);
  return success(bool(readSchedule(schedule)));
}
