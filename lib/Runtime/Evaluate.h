// Loss and accuracy over a data set.
#ifndef GENSYN_LIB_RUNTIME_EVALUATE_H
#define GENSYN_LIB_RUNTIME_EVALUATE_H

#include "gensyn/Runtime/DataSet.h"
#include "gensyn/Runtime/Session.h"
#include "gensyn/Runtime/Train.h"

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

/// Runs the evaluation programs on all samples.
class Evaluator {
public:
  /// Makes the programs. Where the model's batch is fixed, samples that do not
  /// fill a batch are left out, and `observer` is told.
  Evaluator(const DataSet &data, const Recipe &recipe, int64_t batchSize,
            const ProgramSource &source, ParameterStore &store,
            TrainObserver &observer);

  int64_t samples() const { return evaluated; }
  EvalRecord run();

private:
  void runBatch(Session &session, int64_t begin, EvalRecord &record,
                HitCount &hits);

  const DataSet &data;
  const Recipe &recipe;
  std::unique_ptr<Session> full;
  std::unique_ptr<Session> rest;
  int64_t evaluated = 0;
  bool classification = false;
};

} // namespace gensyn::runtime

#endif
