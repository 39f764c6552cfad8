// What a user asks of a training run, read from JSON and checked.
#ifndef GENSYN_RUNTIME_RECIPE_H
#define GENSYN_RUNTIME_RECIPE_H

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::runtime {

enum class LossKind {
  SoftmaxCrossEntropy,
  MeanSquaredError,
  AbsoluteError,
  Huber,
  BinaryCrossEntropyWithLogits,
  GraphOutput,
};

enum class Reduction { Mean, Sum };

/// The loss and what it is taken of.
struct LossSpec {
  LossKind kind = LossKind::SoftmaxCrossEntropy;
  /// The graph output: `logits`, `prediction` or `output` of the recipe. Empty
  /// where the recipe leaves it out: then the model has to have one output.
  std::string output;
  /// The name of the target's tensor in data files.
  std::string target = "target";
  Reduction reduction = Reduction::Mean;
  std::optional<int64_t> ignoreIndex;
  /// The axis of the classes; the last one unless given.
  std::optional<int64_t> axis;
  double labelSmoothing = 0.0;
  double delta = 1.0;
};

enum class OptimizerKind { SGD, Adam, AdamW, RMSprop, Adagrad };

/// An update rule and its hyper-parameters, named and defined as in
/// torch.optim, which also gives the defaults.
struct OptimizerSpec {
  OptimizerKind kind = OptimizerKind::SGD;
  double lr = 1e-3;
  double weightDecay = 0.0;
  double momentum = 0.0;
  double dampening = 0.0;
  bool nesterov = false;
  std::array<double, 2> betas = {0.9, 0.999};
  double eps = 1e-8;
  bool amsgrad = false;
  double alpha = 0.99;
  bool centered = false;
  double lrDecay = 0.0;
  double initialAccumulatorValue = 0.0;
};

struct Recipe {
  LossSpec loss;
  /// Without one a recipe is good for gradients, not for training.
  std::optional<OptimizerSpec> optimizer;
  int64_t epochs = 1;
  /// 0 where the recipe leaves it to the model.
  int64_t batchSize = 0;
  bool shuffle = false;
  bool dropLast = false;
  uint64_t seed = 0;
  /// "fast", "accurate" or "exact" sums; empty where the recipe does not say.
  std::string accuracy;
  /// Patterns (with `*` and `?`) of initializers that are not trained.
  std::vector<std::string> frozen;
};

/// Reads a recipe out of JSON text. `file` begins every message. Throws a
/// Failure: bad input for wrong keys and values, unsupported for what later
/// versions will know.
Recipe parseRecipe(std::string_view text, const std::string &file);

/// The text of a recipe file (at most 1 MiB). Throws a Failure (I/O).
std::string readRecipeText(const std::filesystem::path &path);

/// "softmax_cross_entropy", "AdamW", "mean": the recipe's words.
std::string_view name(LossKind kind);
std::string_view name(OptimizerKind kind);
std::string_view name(Reduction reduction);

/// One line for people: "AdamW (lr 0.0003, betas 0.9 0.95, ...)".
std::string describe(const OptimizerSpec &optimizer);
std::string describe(const LossSpec &loss);

/// Whether `text` matches a pattern of `*` (any run) and `?` (any character).
bool matchesPattern(std::string_view pattern, std::string_view text);

} // namespace gensyn::runtime

#endif
