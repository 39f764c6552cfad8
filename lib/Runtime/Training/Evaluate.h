// Loss and accuracy over a data set.
#ifndef GENSYN_LIB_RUNTIME_EVALUATE_H
#define GENSYN_LIB_RUNTIME_EVALUATE_H

#include "BatchSource.h"
#include "Metrics.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Runtime/Training/Train.h"

#include <functional>
#include <optional>
#include <vector>

namespace gensyn::runtime {

/// Number of correct predictions, and of rows that count.
struct AccuracyCount {
  int64_t right = 0;
  int64_t counted = 0;
};

/// Compares the index of the largest logit along `axis` (the first one of
/// equals; negative axes count from the end) with the target. Rows with the
/// target `ignored` are skipped. std::nullopt if the shapes or types are not
/// those of a classification.
std::optional<AccuracyCount> countCorrect(const Tensor &logits,
                                          const Tensor &target, int64_t axis,
                                          std::optional<int64_t> ignored);

/// Returns the total weight of the rows of an integer target: 0 for `ignored`,
/// otherwise the class's element of `weights`, rounded to `type` as in the
/// program, or 1 if `weights` is empty. Summed row by row in f64.
double weighRows(const Tensor &target, std::optional<int64_t> ignored,
                 const std::vector<double> &weights,
                 ElementType type = ElementType::F64);

/// Returns exp(loss), with the same bits on every machine (docs/Numerics.md,
/// function_r2).
double perplexityOf(double loss);

/// Runs the evaluation programs on all samples.
class Evaluator {
public:
  Evaluator(std::unique_ptr<BatchSource> batches, const Recipe &recipe)
      : batches(std::move(batches)), recipe(recipe) {}

  BatchFacts facts() const { return batches->facts(); }
  /// Returns the program for full batches; after run() in any case.
  const Session &session() const { return batches->program(); }
  /// Runs on all samples; after each batch `progress` receives the number of
  /// samples done.
  EvalRecord run(const std::function<void(int64_t samples)> &progress = {});

private:
  /// Sums over batches in order.
  struct Sums {
    double loss = 0;
    /// Total weight of the rows; without class weights, their number.
    double weight = 0;
    AccuracyCount hits;
    /// The recipe's metrics, by their names there.
    std::vector<std::pair<std::string, std::unique_ptr<Metric>>> metrics;
  };
  void runBatch(const Batch &batch, Sums &sums);

  std::unique_ptr<BatchSource> batches;
  const Recipe &recipe;
  /// True if accuracy can be computed.
  bool hasHits = false;
};

} // namespace gensyn::runtime

#endif
