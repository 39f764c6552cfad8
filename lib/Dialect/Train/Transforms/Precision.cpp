// See Precision.h.

#include "Precision.h"

#include "gensyn/Dialect/Train/IR/RecipeObject.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

static void readLossScale(RecipeObject &recipe, LossScale &scale) {
  if (const nlohmann::json *value = recipe.find("loss_scale")) {
    if (value->is_number()) {
      scale.kind = LossScale::Kind::Static;
      scale.initial = recipe.number("loss_scale", 1.0, NumberRange::above(0.0));
    } else if (*value == "dynamic") {
      scale.kind = LossScale::Kind::Dynamic;
    } else if (*value != "none") {
      recipe.error() << "'loss_scale' is not \"none\", \"dynamic\" or a number";
      return;
    }
  }
  for (const char *key :
       {"initial", "growth_factor", "backoff_factor", "growth_interval"})
    if (recipe.has(key) && scale.kind != LossScale::Kind::Dynamic) {
      recipe.error() << "'" << key << "' is for a dynamic 'loss_scale'";
      return;
    }
  if (scale.kind != LossScale::Kind::Dynamic)
    return;
  scale.initial =
      recipe.number("initial", scale.initial, NumberRange::above(0.0));
  scale.growthFactor = recipe.number("growth_factor", scale.growthFactor,
                                     NumberRange::above(1.0));
  scale.backoffFactor = recipe.number(
      "backoff_factor", scale.backoffFactor,
      {.low = 0.0, .high = 1.0, .withoutLow = true, .withoutHigh = true});
  scale.growthInterval = recipe.integer("growth_interval", 1, INT32_MAX)
                             .value_or(scale.growthInterval);
}

FailureOr<Precision> train::readPrecision(const TrainingOptions &options,
                                          Location location) {
  Precision precision;
  const auto &written = options.recipe.objects.precision;
  if (!written)
    return precision;
  RecipeObject recipe("recipe: precision", *written, location);
  MLIRContext *context = location.getContext();
  if (recipe.has("compute")) {
    auto index =
        recipe.choice("compute", "type to compute in", {"f32", "bf16", "f16"});
    if (index == 1)
      precision.compute = BFloat16Type::get(context);
    else if (index == 2)
      precision.compute = Float16Type::get(context);
  }
  if (recipe.has("master"))
    recipe.choice("master", "type of parameters", {"f32"});
  precision.wide = recipe.texts("keep_f32");
  if (std::optional<RecipeObject> ops = recipe.object("ops")) {
    for (const auto &[key, value] : written->at("ops").items()) {
      auto index = ops->choice(key, "type of an operation", {"f32", "compute"});
      (index == 1 ? precision.narrow : precision.wide).push_back(key);
    }
    if (llvm::failed(ops->finish()))
      return failure();
  }
  readLossScale(recipe, precision.lossScale);
  if (llvm::failed(recipe.finish()))
    return failure();
  return precision;
}
