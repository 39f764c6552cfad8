// One training run; its parts lie in Train.cpp and TrainSetup.cpp.
#ifndef GENSYN_LIB_RUNTIME_TRAINER_H
#define GENSYN_LIB_RUNTIME_TRAINER_H

#include "Evaluate.h"
#include "RunFolder.h"
#include "gensyn/Runtime/DataSet.h"
#include "gensyn/Runtime/LearningCurve.h"
#include "gensyn/Runtime/Session.h"
#include "gensyn/Runtime/Train.h"

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace gensyn::runtime {

/// Samples of one step, and what runs it.
struct Batch {
  Session *session;
  std::span<const int64_t> indices;
};

/// One training run from the first check to the last file.
class Trainer {
public:
  Trainer(const TrainOptions &options, const ProgramSource &source,
          TrainObserver &observer, const std::atomic<bool> &stop)
      : options(options), recipe(options.recipe), source(source),
        observer(observer), stop(stop),
        folder(options.folder, options.overwrite), data(options.data) {}

  TrainResult run();

private:
  void makePrograms();
  void warnOfScalars();
  void makeRest(int64_t wanted, int64_t left);
  void writeProgram();
  TrainSummary summary() const;
  /// False where the run ends within the epoch.
  bool runEpoch();
  void stage(const Batch &batch, int64_t step);
  void runStep(const Batch &batch, const Batch *next);
  void finishEpoch(EpochRecord &record);
  bool ended() const {
    return stop.load() || (options.maxSteps && steps >= options.maxSteps);
  }

  const TrainOptions &options;
  const Recipe &recipe;
  const ProgramSource &source;
  TrainObserver &observer;
  const std::atomic<bool> &stop;
  RunFolder folder;
  DataSet data;
  std::optional<DataSet> evalData;
  ParameterStore store;
  std::unique_ptr<Session> full;
  std::unique_ptr<Session> rest;
  std::optional<Evaluator> evaluator;
  LearningCurve curve;
  int64_t batch = 0;
  int64_t steps = 0;
  int64_t epoch = 0;
  double epochLoss = 0;
  bool warned = false;
  std::string digest;
};

} // namespace gensyn::runtime

#endif
