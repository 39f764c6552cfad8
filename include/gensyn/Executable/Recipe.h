// The recipe of a training run. Its JSON text is parsed here and nowhere else.
#ifndef GENSYN_EXECUTABLE_RECIPE_H
#define GENSYN_EXECUTABLE_RECIPE_H

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn {

/// The target of rows that do not count, unless a recipe says another one;
/// torch.nn.functional's.
inline constexpr int64_t kDefaultIgnoreIndex = -100;

/// The loss and what it is taken of. The train dialect knows the kinds and
/// their other keys.
struct LossSpec {
  std::string kind;
  /// The graph output: `logits`, `prediction` or `output` of the recipe. Empty
  /// where the recipe leaves it out: then the model has to have one output.
  std::string output;
  /// The name of the target's tensor in data files.
  std::string target = "target";
  /// True if the loss of a batch is a sum, and no mean over its samples.
  bool isSum = false;
  std::optional<int64_t> ignoreIndex;
  /// The axis of the classes; the last one unless given.
  std::optional<int64_t> axis;
  /// A weight for each class; empty: they weigh the same.
  std::vector<double> classWeights;
  /// All of it in words; see describe.
  std::string words;

  /// True if targets are numbers of classes, so that there is an accuracy.
  bool hasClasses() const {
    return kind == "softmax_cross_entropy" || kind == "nll";
  }
};

/// An update rule; the train dialect knows its hyper-parameters.
struct OptimizerSpec {
  std::string kind;
  /// The step size that the recipe gives; 0 where it gives none.
  double lr = 0.0;
  /// All of it in words; see describe.
  std::string words;
};

/// A figure of epochs that a run watches, by its name in the log, and what is
/// better than the best so far: below it (above it with `isMax`) by more than
/// `threshold`, which with `isRelative` is a share of it.
struct Watch {
  std::string metric = "eval_loss";
  bool isMax = false;
  double threshold = 0;
  bool isRelative = false;
};

/// The run is over when the figure has not become better for so many epochs.
struct EarlyStopping {
  Watch watch;
  int64_t patience = 1;
};

/// torch.optim.lr_scheduler.ReduceLROnPlateau; `final` is the smallest factor
/// of the step size.
struct PlateauSpec {
  Watch watch = {"eval_loss", false, 1e-4, true};
  double factor = 0.1;
  int64_t patience = 10;
  int64_t cooldown = 0;
  double final = 0;
  double eps = 1e-8;
};

/// The objects of a recipe whose kinds and keys the train dialect's registry
/// knows, as they were written; train::RecipeObject reads them. Without a loss
/// or an optimizer theirs is empty.
struct RecipeObjects {
  nlohmann::json loss = nlohmann::json::object();
  nlohmann::json optimizer = nlohmann::json::object();
  std::optional<nlohmann::json> schedule, clip, ema, precision;
};

struct Recipe {
  LossSpec loss;
  /// Without one a recipe is good for gradients, not for training.
  std::optional<OptimizerSpec> optimizer;
  /// Neither a loss nor an optimizer is given: a step is what the model's
  /// training_info says. `loss` and `optimizer` hold no more than words then.
  bool usesTrainingInfo = false;
  /// The schedule of the step size in words; empty without one.
  std::string schedule;
  /// The schedule of the step size that reacts to figures of the run.
  std::optional<PlateauSpec> plateau;
  /// Figures of evaluations beside the loss: top_K, f1, mae, r2.
  std::vector<std::string> metrics;
  /// The figure by which an epoch's parameters are the best ones.
  std::optional<Watch> best;
  std::optional<EarlyStopping> earlyStopping;
  int64_t epochs = 1;
  /// The samples of a microbatch; 0 where the recipe leaves it to the model.
  int64_t batchSize = 0;
  /// Microbatches whose gradients make one step.
  int64_t accumulate = 1;
  /// True if evaluations are of the averages of the parameters.
  bool evaluatesAverages = false;
  bool shuffle = false;
  bool dropLast = false;
  uint64_t seed = 0;
  /// "fast", "accurate" or "exact" sums; empty where the recipe does not say.
  std::string accuracy;
  /// Patterns (with `*` and `?`) of initializers that are not trained.
  std::vector<std::string> frozen;
  /// True if the recipe has `frozen`, which may be empty.
  bool statesFrozen = false;
  /// Patterns of nodes whose results are recomputed rather than kept.
  std::vector<std::string> remat;
  /// True if batch normalizations train that the model has for inference.
  bool trainsBatchNorm = false;
  /// True if the recipe has `batch_norm`.
  bool statesBatchNorm = false;
  /// True if initializers are trained although the exporter made them of the
  /// module's parameters, or left some out.
  bool ignoresLost = false;
  RecipeObjects objects;
  /// The whole recipe as it was written; null if it was not read from a text.
  nlohmann::json source;

  /// The samples of a step; 0 where the batch is left to the model.
  int64_t stepSamples() const { return batchSize * accumulate; }
};

/// Parses a recipe's JSON text. `file` begins every message. Checks the keys of
/// the recipe itself and what the typed fields need; the train dialect checks
/// the rest of its objects. In these a null is as good as no key, so that
/// PyTorch's `None` reads. Throws a Failure (bad input).
Recipe parseRecipe(std::string_view text, const std::string &file);

/// The text of a recipe file (at most 1 MiB). Throws a Failure (I/O).
std::string readRecipeText(const std::filesystem::path &path);

/// The first key, as "optimizer/lr", in which two recipes (Recipe::source)
/// differ beside those that no program depends on; empty if there is none.
std::string differenceOfPrograms(const nlohmann::json &one,
                                 const nlohmann::json &other);

/// The first key in which the runs of two recipes differ, beside `epochs` and
/// what a run's state has by itself; empty if there is none.
std::string differenceOfRuns(const nlohmann::json &one,
                             const nlohmann::json &other);

/// True if the schedules of two recipes are the same.
bool haveSameSchedule(const nlohmann::json &one, const nlohmann::json &other);

/// One line for people, of what the recipe says itself:
/// "AdamW (lr 0.0003, betas 0.9 0.95)".
std::string describe(const OptimizerSpec &optimizer);
/// "softmax_cross_entropy of 'logits' against 'target', mean, ignore_index -1".
std::string describe(const LossSpec &loss);

/// True if `text` matches a pattern of `*` (any run) and `?` (any character).
bool matchesPattern(std::string_view pattern, std::string_view text);

} // namespace gensyn

#endif
