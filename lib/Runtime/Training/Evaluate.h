// Loss and accuracy over a data set.
#ifndef GENSYN_LIB_RUNTIME_EVALUATE_H
#define GENSYN_LIB_RUNTIME_EVALUATE_H

#include "Metrics.h"
#include "gensyn/Runtime/Data/DataSet.h"
#include "gensyn/Runtime/Devices/Session.h"
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
  /// Compiles the programs. If the model's batch size is fixed, samples that do
  /// not fill a batch are skipped, and `observer` is warned.
  Evaluator(const DataSet &data, const Recipe &recipe, int64_t batchSize,
            const ProgramSource &source, ParameterStore &store,
            TrainObserver &observer);

  int64_t samples() const { return evaluated; }
  /// Returns the program for full batches.
  const Session &session() const { return *full; }
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
  void runBatch(Session &session, int64_t begin, Sums &sums);

  const DataSet &data;
  const Recipe &recipe;
  std::unique_ptr<Session> full;
  std::unique_ptr<Session> rest;
  int64_t evaluated = 0;
  /// True if accuracy can be computed.
  bool hasHits = false;
};

} // namespace gensyn::runtime

#endif
