// The recipe of a training run. All parsing of its JSON text is here.
#ifndef GENSYN_EXECUTABLE_RECIPE_RECIPE_H
#define GENSYN_EXECUTABLE_RECIPE_RECIPE_H

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn {

/// The default target of rows that do not count; the same as in
/// torch.nn.functional.
inline constexpr int64_t kDefaultIgnoreIndex = -100;

/// The loss and its input. The train dialect knows the kinds and their other
/// keys.
struct LossSpec {
  std::string kind;
  /// The graph output: `logits`, `prediction` or `output` of the recipe. Empty
  /// if the recipe has none of these; then the model must have a single output.
  std::string output;
  /// The name of the target's tensor in data files.
  std::string target = "target";
  /// True if the loss of a batch is a sum rather than a mean over its samples.
  bool isSum = false;
  std::optional<int64_t> ignoreIndex;
  /// The axis of the classes; by default the last one.
  std::optional<int64_t> axis;
  /// A weight for each class; empty: equal weights.
  std::vector<double> classWeights;
  /// Description for the user; see describe.
  std::string words;

  /// True if targets are class numbers, so that there is an accuracy.
  bool hasClasses() const {
    return kind == "softmax_cross_entropy" || kind == "nll";
  }
};

/// An update rule; the train dialect knows its hyper-parameters.
struct OptimizerSpec {
  std::string kind;
  /// The recipe's step size; 0 if it has none.
  double lr = 0.0;
  /// Description for the user; see describe.
  std::string words;
};

/// An epoch metric that a run watches, by its name in the log. It improves if
/// it is below the best value so far (above it with `isMax`) by more than
/// `threshold`, which is a fraction of the best value with `isRelative`.
struct Watch {
  std::string metric = "eval_loss";
  bool isMax = false;
  double threshold = 0;
  bool isRelative = false;
};

/// The run ends if the metric has not improved for that many epochs.
struct EarlyStopping {
  Watch watch;
  int64_t patience = 1;
};

/// torch.optim.lr_scheduler.ReduceLROnPlateau; `final` is the minimum factor of
/// the step size.
struct PlateauSpec {
  Watch watch = {"eval_loss", false, 1e-4, true};
  double factor = 0.1;
  int64_t patience = 10;
  int64_t cooldown = 0;
  double final = 0;
  double eps = 1e-8;
};

/// The objects of a recipe whose kinds and keys are in the train dialect's
/// registry, unparsed; train::RecipeObject reads them. Without a loss or an
/// optimizer theirs is empty.
struct RecipeObjects {
  nlohmann::json loss = nlohmann::json::object();
  nlohmann::json optimizer = nlohmann::json::object();
  std::optional<nlohmann::json> schedule, clip, ema, precision;
};

struct Recipe {
  LossSpec loss;
  /// Without an optimizer the recipe supports gradients but not training.
  std::optional<OptimizerSpec> optimizer;
  /// True if neither a loss nor an optimizer is given: the model's
  /// training_info defines the step. `loss` and `optimizer` then only have
  /// descriptions.
  bool usesTrainingInfo = false;
  /// Description of the step size schedule; empty without one.
  std::string schedule;
  /// The step size schedule that depends on metrics of the run.
  std::optional<PlateauSpec> plateau;
  /// Evaluation metrics other than the loss: top_K, f1, mae, r2.
  std::vector<std::string> metrics;
  /// The metric that determines the epoch with the best parameters.
  std::optional<Watch> best;
  std::optional<EarlyStopping> earlyStopping;
  int64_t epochs = 1;
  /// Samples of a microbatch; 0 if the recipe leaves it to the model.
  int64_t batchSize = 0;
  /// Number of microbatches whose gradients make one step.
  int64_t accumulate = 1;
  /// True if evaluations use the averages of the parameters.
  bool evaluatesAverages = false;
  bool shuffle = false;
  bool dropLast = false;
  uint64_t seed = 0;
  /// A name of accuracyNames(); empty if the recipe does not say.
  std::string accuracy;
  /// Patterns (with `*` and `?`) of initializers that are not trained.
  std::vector<std::string> frozen;
  /// True if the recipe has `frozen`, which may be empty.
  bool statesFrozen = false;
  /// Patterns of nodes whose results are recomputed rather than kept.
  std::vector<std::string> remat;
  /// True if batch normalizations that the model has in inference mode are
  /// trained.
  bool trainsBatchNorm = false;
  /// True if the recipe has `batch_norm`.
  bool statesBatchNorm = false;
  /// True if initializers are trained even though the exporter computed them
  /// from the module's parameters, or omitted some.
  bool ignoresLost = false;
  RecipeObjects objects;
  /// The whole recipe as it was written; null if it was not read from a text.
  nlohmann::json source;

  /// Returns the samples of a step; 0 if the batch is left to the model.
  int64_t stepSamples() const { return batchSize * accumulate; }
};

/// Parses a recipe's JSON text. `file` begins every message. Checks the keys of
/// the recipe itself and those of the typed fields; the train dialect checks
/// the rest of its objects. In these a null means that the key is missing,
/// since PyTorch's `None` becomes null. Throws a Failure (bad input).
Recipe parseRecipe(std::string_view text, const std::string &file);

/// Returns the text of a recipe file (at most 1 MiB). Throws a Failure (I/O).
std::string readRecipeText(const std::filesystem::path &path);

/// Returns the first key, such as "optimizer/lr", in which two recipes
/// (Recipe::source) differ, ignoring keys that no program depends on; empty if
/// there is none.
std::string differenceOfPrograms(const nlohmann::json &one,
                                 const nlohmann::json &other);

/// Returns the first key in which the runs of two recipes differ, ignoring
/// `epochs` and the keys that a run's state records itself; empty if there is
/// none.
std::string differenceOfRuns(const nlohmann::json &one,
                             const nlohmann::json &other);

/// True if the schedules of two recipes are the same.
bool haveSameSchedule(const nlohmann::json &one, const nlohmann::json &other);

/// Returns a one-line description with the recipe's own keys: "AdamW (lr
/// 0.0003, betas 0.9 0.95)".
std::string describe(const OptimizerSpec &optimizer);
/// Returns "softmax_cross_entropy of 'logits' against 'target', mean,
/// ignore_index -1".
std::string describe(const LossSpec &loss);

/// True if `text` matches a pattern of `*` (any characters) and `?` (any
/// character).
bool matchesPattern(std::string_view pattern, std::string_view text);

} // namespace gensyn

#endif
