// Loss and accuracy over a data set.
#ifndef GENSYN_LIB_RUNTIME_EVALUATE_H
#define GENSYN_LIB_RUNTIME_EVALUATE_H

#include "Metrics.h"
#include "gensyn/Runtime/DataSet.h"
#include "gensyn/Runtime/Session.h"
#include "gensyn/Runtime/Train.h"

#include <functional>
#include <optional>
#include <vector>

namespace gensyn::runtime {

/// Right answers among counted rows.
struct HitCount {
  int64_t right = 0;
  int64_t counted = 0;
};

/// Compares the position of the largest logit along `axis` (the first one of
/// equals; negative axes count from the end) with the target. Rows with the
/// target `ignored` are left out. Nothing where the shapes or types are not
/// those of a classification.
std::optional<HitCount> countHits(const Tensor &logits, const Tensor &target,
                                  int64_t axis, std::optional<int64_t> ignored);

/// What the rows of an integer target weigh together in a mean: those with
/// `ignored` nothing, others what `weights` has for their classes, as a program
/// of `type` has it, or 1 where it is empty. Added up row by row in f64.
double weighRows(const Tensor &target, std::optional<int64_t> ignored,
                 const std::vector<double> &weights,
                 ElementType type = ElementType::F64);

/// exp(loss), the same bits everywhere (docs/Numerics.md, function_r2).
double perplexityOf(double loss);

/// Runs the evaluation programs on all samples.
class Evaluator {
public:
  /// Makes the programs. Where the model's batch is fixed, samples that do not
  /// fill a batch are left out, and `observer` is told.
  Evaluator(const DataSet &data, const Recipe &recipe, int64_t batchSize,
            const ProgramSource &source, ParameterStore &store,
            TrainObserver &observer);

  int64_t samples() const { return evaluated; }
  /// The program for full batches.
  const Session &session() const { return *full; }
  /// Runs on all samples; `progress` is told after each batch how many of them
  /// are done.
  EvalRecord run(const std::function<void(int64_t samples)> &progress = {});

private:
  /// Sums over batches in order.
  struct Sums {
    double loss = 0;
    /// The weight of the rows; where classes have no weights, their number.
    double weight = 0;
    HitCount hits;
    /// Those of the recipe, by their names there.
    std::vector<std::pair<std::string, std::unique_ptr<Metric>>> metrics;
  };
  void runBatch(Session &session, int64_t begin, Sums &sums);

  const DataSet &data;
  const Recipe &recipe;
  std::unique_ptr<Session> full;
  std::unique_ptr<Session> rest;
  int64_t evaluated = 0;
  /// True if hits can be counted.
  bool hasHits = false;
};

} // namespace gensyn::runtime

#endif
