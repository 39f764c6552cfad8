// One training run; its parts are in Train.cpp, TrainSetup.cpp, TrainResume.cpp
// and TrainNonFinite.cpp.
#ifndef GENSYN_LIB_RUNTIME_TRAINER_H
#define GENSYN_LIB_RUNTIME_TRAINER_H

#include "Evaluate.h"
#include "Monitors.h"
#include "RunFolder.h"
#include "RunState.h"
#include "gensyn/Runtime/Data/DataSet.h"
#include "gensyn/Runtime/Devices/Session.h"
#include "gensyn/Runtime/Training/LearningCurve.h"
#include "gensyn/Runtime/Training/Train.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// Samples of one step, and the program that runs it.
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
        observer(observer), stop(stop), folder(options.folder, options.start),
        data(options.data), monitors(options.recipe) {}

  TrainResult run();

private:
  // TrainSetup.cpp
  void makePrograms();
  void warnOfScalars();
  void makeRest(int64_t wanted, int64_t left);
  std::string lastBatchDigest() const;
  // TrainInitialize.cpp
  void initialize();
  /// Sets the parameters of another run, or the results of the program
  /// "initialize".
  void setInitialValues();
  void writeProgram();
  TrainSummary summary() const;
  RunFacts makeFacts() const;

  // Train.cpp
  void runEpoch();
  void beginEpoch();
  StepInputs inputsOf(const Batch &batch, int64_t step) const;
  void stage(const Batch &batch, int64_t step);
  void runStep(const Batch &batch, const Batch *next);
  void addToCurve(std::vector<CurvePoint> &points, int64_t step, double value);
  void evaluate();
  void finishEpoch();
  bool isCheckpointDue() const;
  void logParameters();
  bool ended() const { return stop.load() || isFinished(); }
  bool isFinished() const {
    return progress.step >= lastStep || !monitors.stops().empty();
  }
  /// Passes the metrics of an epoch to the monitors. True if the step size was
  /// reduced.
  bool watch(double meanLoss);
  void requireFigures() const;
  /// Returns the order of an epoch's samples, and the steps that they make.
  std::vector<int64_t> orderOf(int64_t epoch) const;
  std::vector<Batch> batchesOf(std::span<const int64_t> order) const;
  void countStep(double loss);

  // TrainResume.cpp
  /// Returns false if there is no run to resume.
  bool resume();
  void readRow(const nlohmann::json &row);
  /// Writes a checkpoint unless this step has one.
  void save();
  /// Returns to the newest checkpoint of this run, or to its beginning.
  void goBack();

  // TrainNonFinite.cpp
  void rememberInfinities();
  std::string describeNonFinite() const;
  void requireFiniteLoss(double loss);
  void requireFiniteParameters();
  [[noreturn]] void failNonFinite(const std::string &what);

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
  /// Programs for the samples that an epoch leaves over, in order.
  std::vector<std::unique_ptr<Session>> rests;
  std::optional<Evaluator> evaluator;
  LearningCurve curve;
  int64_t batch = 0;
  RunFacts facts;
  Progress progress;
  /// The step after which the run ends.
  int64_t lastStep = 0;
  std::chrono::steady_clock::time_point epochStart;
  bool warned = false;
  /// Digests of the parameters: at the beginning, and of the last epoch.
  std::string initialDigest;
  std::string digest;
  std::optional<EvalRecord> evaluated;
  Monitors monitors;
  /// The step size of the last step.
  double lastRate = 0;
  /// The newest valid checkpoint, and its step; the step after which the run
  /// resumed.
  std::filesystem::path savedIn;
  int64_t savedStep = 0;
  std::chrono::steady_clock::time_point savedAt;
  int64_t resumedStep = 0;
  /// Tensors that were not finite from the beginning.
  std::set<std::string> infinite;
};

} // namespace gensyn::runtime

#endif
