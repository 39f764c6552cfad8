// The recipe's own keys, and what of its objects the runtime needs. Kinds and
// hyper-parameters of losses, optimizers and schedules are the compiler's.

#include "gensyn/Executable/Recipe.h"

#include "RecipeMonitors.h"
#include "RecipeReader.h"
#include "RecipeWords.h"
#include "gensyn/Executable/Files.h"
#include "gensyn/Executable/Json.h"

#include <limits>

namespace gensyn {

static LossSpec readLoss(RecipeReader reader) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  LossSpec loss;
  reader.require("kind");
  reader.text("kind", loss.kind);
  for (const char *key : {"logits", "prediction", "output"})
    reader.text(key, loss.output);
  reader.text("target", loss.target);
  std::string reduction;
  reader.text("reduction", reduction);
  loss.isSum = reduction == "sum";
  int64_t value = kDefaultIgnoreIndex;
  reader.integer("ignore_index", value, least, most);
  if (reader.has("ignore_index") || loss.hasClasses())
    loss.ignoreIndex = value;
  reader.integer("axis", value, -64, 63);
  if (reader.has("axis"))
    loss.axis = value;
  if (loss.hasClasses())
    reader.numbers("weight", loss.classWeights);
  loss.words = describeLoss(reader.source());
  return loss;
}

static OptimizerSpec readOptimizer(RecipeReader reader) {
  OptimizerSpec optimizer;
  reader.require("kind");
  reader.text("kind", optimizer.kind);
  reader.number("lr", optimizer.lr, 0.0,
                std::numeric_limits<double>::infinity());
  optimizer.words = describeObject(reader.source());
  return optimizer;
}

Recipe parseRecipe(std::string_view text, const std::string &file) {
  nlohmann::json document = parseJson(text, file, "the recipe");
  RecipeReader reader(document, file + ": ");
  Recipe recipe;
  const bool hasOptimizer = reader.has("optimizer");
  recipe.usesTrainingInfo = !reader.has("loss") && !hasOptimizer;
  if (recipe.usesTrainingInfo) {
    recipe.loss.words = "of the model's training_info";
    recipe.optimizer.emplace().words = recipe.loss.words;
  } else {
    recipe.loss = readLoss(reader.object("loss"));
  }
  if (hasOptimizer)
    recipe.optimizer = readOptimizer(reader.object("optimizer"));
  if (reader.has("schedule"))
    recipe.schedule = describeObject(reader.object("schedule").source());
  readMetrics(reader, recipe);
  readMonitors(reader, recipe);
  // The compiler's alone.
  for (const char *key :
       {"clip", "precision", "remat", "batch_norm", "lost_parameters"})
    reader.has(key);
  if (reader.has("ema")) {
    recipe.evaluatesAverages = true;
    reader.object("ema").flag("evaluate", recipe.evaluatesAverages);
  }
  reader.integer("epochs", recipe.epochs, 1, 1'000'000'000);
  reader.integer("batch_size", recipe.batchSize, 1, 1'000'000'000);
  reader.integer("accumulate", recipe.accumulate, 1, 1 << 20);
  reader.flag("shuffle", recipe.shuffle);
  reader.flag("drop_last", recipe.dropLast);
  int64_t seed = 0;
  reader.integer("seed", seed, 0, std::numeric_limits<int64_t>::max());
  recipe.seed = uint64_t(seed);
  if (reader.has("accuracy")) {
    const std::vector<std::string> words = {"fast", "accurate", "exact"};
    recipe.accuracy = words[reader.choice("accuracy", words, "accuracy")];
  }
  reader.texts("frozen", recipe.frozen);
  reader.finish();
  return recipe;
}

std::string readRecipeText(const std::filesystem::path &path) {
  return readText(path, 1 << 20);
}

} // namespace gensyn
