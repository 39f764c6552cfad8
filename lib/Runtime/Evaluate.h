// Loss and accuracy over a data set.
#ifndef GENSYN_LIB_RUNTIME_EVALUATE_H
#define GENSYN_LIB_RUNTIME_EVALUATE_H

#include "gensyn/Runtime/DataSet.h"
#include "gensyn/Runtime/Session.h"
#include "gensyn/Runtime/Train.h"

#include <functional>
#include <optional>

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

/// Rows of an integer target that count: all but those with `ignored`.
int64_t countRows(const Tensor &target, std::optional<int64_t> ignored);

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
    int64_t rows = 0;
    HitCount hits;
  };
  void runBatch(Session &session, int64_t begin, Sums &sums);

  const DataSet &data;
  const Recipe &recipe;
  std::unique_ptr<Session> full;
  std::unique_ptr<Session> rest;
  int64_t evaluated = 0;
  /// Whether hits can be counted.
  bool hasHits = false;
};

} // namespace gensyn::runtime

#endif
