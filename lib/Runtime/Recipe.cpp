// The recipe's keys, their types and ranges.

#include "gensyn/Runtime/Recipe.h"

#include "RecipeReader.h"
#include "gensyn/Runtime/Error.h"
#include "gensyn/Runtime/Files.h"
#include "gensyn/Runtime/Json.h"

#include <cmath>
#include <limits>

namespace gensyn::runtime {

// In the order of the enumerators.
static const std::vector<std::string> lossNames = {
    "softmax_cross_entropy", "mse",         "l1", "huber",
    "bce_with_logits",       "graph_output"};
static const std::vector<std::string> optimizerNames = {"SGD", "Adam", "AdamW",
                                                        "RMSprop", "Adagrad"};
static const std::vector<std::string> reductionNames = {"mean", "sum"};

static constexpr double unlimited = std::numeric_limits<double>::infinity();

std::string_view name(LossKind kind) { return lossNames[size_t(kind)]; }
std::string_view name(OptimizerKind kind) {
  return optimizerNames[size_t(kind)];
}
std::string_view name(Reduction reduction) {
  return reductionNames[size_t(reduction)];
}

static LossSpec readLoss(RecipeReader reader) {
  LossSpec loss;
  loss.kind = LossKind(reader.choice("kind", lossNames, "loss"));
  if (loss.kind == LossKind::GraphOutput) {
    reader.text("output", loss.output);
    reader.text("target", loss.target);
    reader.finish();
    return loss;
  }
  bool ofLogits = loss.kind == LossKind::SoftmaxCrossEntropy ||
                  loss.kind == LossKind::BinaryCrossEntropyWithLogits;
  reader.text(ofLogits ? "logits" : "prediction", loss.output);
  reader.text("target", loss.target);
  if (reader.has("reduction"))
    loss.reduction =
        Reduction(reader.choice("reduction", reductionNames, "reduction"));
  if (loss.kind == LossKind::SoftmaxCrossEntropy) {
    constexpr int64_t least = std::numeric_limits<int64_t>::min();
    constexpr int64_t most = std::numeric_limits<int64_t>::max();
    int64_t value = 0;
    reader.integer("ignore_index", value, least, most);
    if (reader.has("ignore_index"))
      loss.ignoreIndex = value;
    reader.integer("axis", value, -64, 63);
    if (reader.has("axis"))
      loss.axis = value;
    reader.number("label_smoothing", loss.labelSmoothing, 0.0, 1.0);
  }
  if (loss.kind == LossKind::Huber)
    reader.number("delta", loss.delta, 0.0, unlimited);
  reader.finish();
  return loss;
}

static void readBetas(RecipeReader &reader, std::array<double, 2> &betas) {
  const nlohmann::json *list = reader.find("betas");
  if (!list)
    return;
  if (!list->is_array() || list->size() != 2)
    reader.fail("'betas' is not a list of two numbers");
  for (size_t i = 0; i < 2; ++i) {
    const nlohmann::json &item = (*list)[i];
    if (!item.is_number() || !(item.get<double>() >= 0.0) ||
        !(item.get<double>() < 1.0))
      reader.fail("an entry of 'betas' is not a number of at least 0 and below "
                  "1");
    betas[i] = item.get<double>();
  }
}

static OptimizerSpec readOptimizer(RecipeReader reader) {
  OptimizerSpec spec;
  spec.kind = OptimizerKind(reader.choice("kind", optimizerNames, "optimizer"));
  bool adam =
      spec.kind == OptimizerKind::Adam || spec.kind == OptimizerKind::AdamW;
  if (spec.kind == OptimizerKind::AdamW)
    spec.weightDecay = 0.01;
  if (spec.kind == OptimizerKind::RMSprop ||
      spec.kind == OptimizerKind::Adagrad)
    spec.lr = 0.01;
  if (spec.kind == OptimizerKind::Adagrad)
    spec.eps = 1e-10;

  reader.number("lr", spec.lr, 0.0, unlimited);
  reader.number("weight_decay", spec.weightDecay, 0.0, unlimited);
  if (spec.kind != OptimizerKind::SGD)
    reader.number("eps", spec.eps, 0.0, unlimited);
  if (spec.kind == OptimizerKind::SGD || spec.kind == OptimizerKind::RMSprop)
    reader.number("momentum", spec.momentum, 0.0, unlimited);
  if (spec.kind == OptimizerKind::SGD) {
    reader.number("dampening", spec.dampening, -unlimited, unlimited);
    reader.flag("nesterov", spec.nesterov);
  }
  if (adam) {
    readBetas(reader, spec.betas);
    reader.flag("amsgrad", spec.amsgrad);
  }
  if (spec.kind == OptimizerKind::RMSprop) {
    reader.number("alpha", spec.alpha, 0.0, unlimited);
    reader.flag("centered", spec.centered);
  }
  if (spec.kind == OptimizerKind::Adagrad) {
    reader.number("lr_decay", spec.lrDecay, 0.0, unlimited);
    reader.number("initial_accumulator_value", spec.initialAccumulatorValue,
                  0.0, unlimited);
  }
  if (reader.has("groups"))
    reader.unsupported("'groups'", "every parameter is treated alike");
  reader.finish();
  if (spec.nesterov && (spec.momentum <= 0.0 || spec.dampening != 0.0))
    reader.fail("'nesterov' needs a momentum and no dampening");
  return spec;
}

/// What the design knows and this version does not, unless it asks for what is
/// done anyway.
static void refuseLaterFeatures(RecipeReader &reader) {
  if (reader.has("schedule")) {
    RecipeReader schedule = reader.object("schedule");
    if (schedule.choice("kind", {"constant", "linear", "cosine", "step"},
                        "schedule"))
      reader.unsupported("a 'schedule' other than constant");
    if (schedule.has("warmup_steps"))
      schedule.unsupported("'warmup_steps'");
    schedule.finish();
  }
  if (reader.has("clip"))
    reader.unsupported("'clip'");
  int64_t accumulate = 1;
  reader.integer("accumulate", accumulate, 1, 1 << 20);
  if (accumulate != 1)
    reader.unsupported("'accumulate'");
  if (reader.has("precision")) {
    RecipeReader precision = reader.object("precision");
    std::string compute = "f32", master = "f32", scale = "none";
    precision.text("compute", compute);
    precision.text("master", master);
    precision.text("loss_scale", scale);
    precision.finish();
    if (compute != "f32" || master != "f32" || scale != "none")
      reader.unsupported("a 'precision' other than f32");
  }
}

Recipe parseRecipe(std::string_view text, const std::string &file) {
  nlohmann::json document = parseJson(text, file, "the recipe");
  RecipeReader reader(document, file + ": ");
  Recipe recipe;
  recipe.loss = readLoss(reader.object("loss"));
  if (reader.has("optimizer"))
    recipe.optimizer = readOptimizer(reader.object("optimizer"));
  reader.integer("epochs", recipe.epochs, 1, 1'000'000'000);
  reader.integer("batch_size", recipe.batchSize, 1, 1'000'000'000);
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
  refuseLaterFeatures(reader);
  reader.finish();
  return recipe;
}

std::string readRecipeText(const std::filesystem::path &path) {
  return readText(path, 1 << 20);
}

} // namespace gensyn::runtime
