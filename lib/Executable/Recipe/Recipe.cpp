// The recipe's own keys, and the typed fields of its objects. The train dialect
// reads kinds and hyper-parameters of losses, optimizers and schedules.

#include "gensyn/Executable/Recipe/Recipe.h"

#include "RecipeDescription.h"
#include "RecipeMonitors.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/Support/JsonReader.h"
#include "gensyn/Numerics/ErrorBound.h"

#include <algorithm>
#include <limits>

namespace gensyn {

static LossSpec readLoss(JsonReader reader) {
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

static OptimizerSpec readOptimizer(JsonReader reader) {
  OptimizerSpec optimizer;
  reader.require("kind");
  reader.text("kind", optimizer.kind);
  reader.number("lr", optimizer.lr, 0.0,
                std::numeric_limits<double>::infinity());
  optimizer.words = describeObject(reader.source());
  return optimizer;
}

/// Reads keys that only the compiler uses.
static void readCompilation(JsonReader &reader, Recipe &recipe) {
  for (auto [key, object] : {std::pair("clip", &recipe.objects.clip),
                             std::pair("precision", &recipe.objects.precision)})
    if (const nlohmann::json *found = reader.find(key))
      *object = *found;
  reader.textOrTexts("remat", recipe.remat);
  auto choose = [&](const char *key, const std::vector<std::string> &words) {
    const nlohmann::json *found = reader.find(key);
    return found && !found->is_null() && reader.choice(key, words, key) == 1;
  };
  recipe.statesBatchNorm = reader.has("batch_norm");
  recipe.trainsBatchNorm = choose("batch_norm", {"as_exported", "train"});
  recipe.ignoresLost = choose("lost_parameters", {"refuse", "ignore"});
}

Recipe parseRecipe(std::string_view text, const std::string &file) {
  Recipe recipe;
  recipe.source = parseJson(text, file, "the recipe");
  JsonReader reader(recipe.source, file + ": ");
  const bool hasOptimizer = reader.has("optimizer");
  recipe.usesTrainingInfo = !reader.has("loss") && !hasOptimizer;
  if (recipe.usesTrainingInfo) {
    recipe.loss.words = "of the model's training_info";
    recipe.optimizer.emplace().words = recipe.loss.words;
  } else {
    recipe.loss = readLoss(reader.tree("loss"));
    recipe.objects.loss = recipe.source["loss"];
  }
  if (hasOptimizer) {
    recipe.optimizer = readOptimizer(reader.tree("optimizer"));
    recipe.objects.optimizer = recipe.source["optimizer"];
  }
  if (reader.has("schedule")) {
    recipe.objects.schedule = reader.tree("schedule").source();
    recipe.schedule = describeObject(*recipe.objects.schedule);
  }
  readMetrics(reader, recipe);
  readMonitors(reader, recipe);
  readCompilation(reader, recipe);
  if (reader.has("ema")) {
    recipe.evaluatesAverages = true;
    JsonReader ema = reader.tree("ema");
    ema.flag("evaluate", recipe.evaluatesAverages);
    recipe.objects.ema = ema.source();
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
    const std::vector<std::string> words(accuracyNames().begin(),
                                         accuracyNames().end());
    recipe.accuracy = words[reader.choice("accuracy", words, "accuracy")];
  }
  recipe.statesFrozen = reader.has("frozen");
  reader.texts("frozen", recipe.frozen);
  reader.finish();
  return recipe;
}

/// Returns the first key in which `other` differs from `one`, ignoring
/// top-level keys in `without`.
static std::string findDifference(const nlohmann::json &one,
                                  const nlohmann::json &other,
                                  std::initializer_list<const char *> without) {
  for (const nlohmann::json &change : nlohmann::json::diff(one, other)) {
    const std::string path = change.at("path").get<std::string>();
    const std::string top = path.substr(0, path.find('/', 1));
    if (!path.empty() &&
        std::none_of(without.begin(), without.end(),
                     [&](const char *key) { return top.substr(1) == key; }))
      return path.substr(1);
  }
  return "";
}

std::string differenceOfPrograms(const nlohmann::json &one,
                                 const nlohmann::json &other) {
  return findDifference(one, other,
                        {"epochs", "batch_size", "shuffle", "drop_last", "seed",
                         "metrics", "best", "early_stopping"});
}

std::string differenceOfRuns(const nlohmann::json &one,
                             const nlohmann::json &other) {
  return findDifference(
      one, other, {"epochs", "batch_size", "shuffle", "drop_last", "seed"});
}

bool haveSameSchedule(const nlohmann::json &one, const nlohmann::json &other) {
  const nlohmann::json none;
  return !one.is_object() || !other.is_object() ||
         one.value("schedule", none) == other.value("schedule", none);
}

std::string readRecipeText(const std::filesystem::path &path) {
  return readText(path, 1 << 20);
}

} // namespace gensyn
