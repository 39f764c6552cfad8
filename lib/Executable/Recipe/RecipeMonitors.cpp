// The recipe's keys about metrics of a run and the reactions to them.

#include "RecipeMonitors.h"

#include "gensyn/Executable/Recipe/MetricNames.h"
#include "gensyn/Executable/Support/Error.h"

#include <limits>

namespace gensyn {

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr int64_t kMostEpochs = int64_t(1) << 53;

void readMetrics(JsonReader &reader, Recipe &recipe) {
  reader.texts("metrics", recipe.metrics);
  for (const std::string &name : recipe.metrics) {
    if (isMetric(name, recipe.loss))
      continue;
    const std::string known = listMetrics(recipe.loss);
    const std::string loss = quote(recipe.loss.kind);
    reader.fail("'metrics': " + quote(name) + " is not a metric of the loss " +
                loss + (known.empty() ? "" : "; its metrics are " + known));
  }
}

/// Returns the metrics of a run's log that can be watched.
static std::vector<std::string> namesOfFigures(const Recipe &recipe) {
  std::vector<std::string> names = {"loss", "eval_loss"};
  if (recipe.loss.hasClasses())
    names.insert(names.end(), {"eval_accuracy", "eval_perplexity"});
  for (const std::string &metric : recipe.metrics)
    names.push_back("eval_" + metric);
  return names;
}

static void readWatch(JsonReader &reader, const Recipe &recipe, Watch &watch) {
  if (reader.has("metric")) {
    const std::vector<std::string> names = namesOfFigures(recipe);
    watch.metric = names[reader.choice("metric", names, "metric")];
  }
  watch.isMax = isLargerBetter(watch.metric);
  if (reader.has("mode"))
    watch.isMax = reader.choice("mode", {"min", "max"}, "mode") == 1;
}

static void readPlateau(JsonReader reader, Recipe &recipe) {
  if (!reader.has("kind") || *reader.find("kind") != "reduce_on_plateau")
    return;
  PlateauSpec &plateau = recipe.plateau.emplace();
  readWatch(reader, recipe, plateau.watch);
  reader.number("factor", plateau.factor, 0, 1);
  reader.integer("patience", plateau.patience, 0, kMostEpochs);
  reader.number("threshold", plateau.watch.threshold, 0, kInfinity);
  if (reader.has("threshold_mode"))
    plateau.watch.isRelative =
        reader.choice("threshold_mode", {"rel", "abs"}, "mode") == 0;
  reader.integer("cooldown", plateau.cooldown, 0, kMostEpochs);
  reader.number("final", plateau.final, 0, kInfinity);
  reader.number("eps", plateau.eps, 0, kInfinity);
}

void readMonitors(JsonReader &reader, Recipe &recipe) {
  if (reader.has("schedule"))
    readPlateau(reader.tree("schedule"), recipe);
  if (reader.has("best")) {
    JsonReader best = reader.object("best");
    readWatch(best, recipe, recipe.best.emplace());
    best.finish();
  }
  if (reader.has("early_stopping")) {
    JsonReader early = reader.object("early_stopping");
    EarlyStopping &stopping = recipe.earlyStopping.emplace();
    readWatch(early, recipe, stopping.watch);
    early.require("patience");
    early.integer("patience", stopping.patience, 1, kMostEpochs);
    early.number("min_delta", stopping.watch.threshold, 0, kInfinity);
    early.finish();
  }
}

} // namespace gensyn
