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

namespace gensyn::communication {
class Communicator;
} // namespace gensyn::communication

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

/// What a batch adds to an evaluation.
struct BatchFigures {
  int64_t samples = 0;
  /// That of the program.
  double loss = 0;
  /// Total weight of the rows; without class weights, their number.
  double weight = 0;
  /// Nothing if accuracy cannot be computed.
  std::optional<AccuracyCount> hits;
  /// Of the recipe's metrics, in its order.
  std::vector<std::vector<double>> metrics;
};

/// Adjacent batches.
struct BatchRange {
  int64_t begin = 0, end = 0;
};

/// Returns the batches that a rank evaluates in the round that begins with
/// batch `done`: as many as any other rank, as far as there are, and at most
/// `most`.
BatchRange shareOfRound(int64_t done, int64_t batches, int64_t most, int rank,
                        int ranks);

/// Runs the evaluation programs on all samples.
class Evaluator {
public:
  Evaluator(std::unique_ptr<BatchSource> batches, const Recipe &recipe)
      : batches(std::move(batches)), recipe(recipe) {}

  BatchFacts facts() const { return batches->facts(); }
  SampleVisitor sampleVisitor() const { return batches->sampleVisitor(); }
  uint64_t sampleBytes() const { return batches->sampleBytes(); }
  /// Returns the program for full batches; after run() in any case.
  const Session &session() const { return batches->program(); }
  /// Runs on all samples; after each batch `progress` receives the number of
  /// samples done.
  EvalRecord run(const std::function<void(int64_t samples)> &progress = {});
  /// The same by all ranks, which call it at the same time. Each reads and runs
  /// a part of the batches, whose number is known; the first one adds up what
  /// they give, in the order of run(), and has the record.
  EvalRecord runTogether(communication::Communicator &ranks);

private:
  /// Sums over batches in order.
  struct Sums {
    int64_t samples = 0;
    double loss = 0, weight = 0;
    /// Nothing once a batch has none.
    std::optional<AccuracyCount> hits;
    /// The recipe's metrics, by their names there.
    std::vector<std::pair<std::string, std::unique_ptr<Metric>>> metrics;
  };
  Sums begin() const;
  BatchFigures measure(const Batch &batch, const Sums &sums) const;
  void add(const BatchFigures &figures, Sums &sums) const;
  EvalRecord finish(const Sums &sums) const;

  std::unique_ptr<BatchSource> batches;
  const Recipe &recipe;
};

} // namespace gensyn::runtime

#endif
