// A training run in memory; its parts are in Train.cpp, TrainSetup.cpp,
// TrainInitialize.cpp, TrainRanks.cpp, TrainResume.cpp, TrainReplay.cpp,
// TrainEvaluate.cpp, TrainNonFinite.cpp and TrainWitness.cpp.
#ifndef GENSYN_LIB_RUNTIME_TRAINER_H
#define GENSYN_LIB_RUNTIME_TRAINER_H

#include "../Ranks/DividedTensors.h"
#include "BatchSource.h"
#include "Evaluate.h"
#include "Monitors.h"
#include "ProgramPool.h"
#include "RunFolder.h"
#include "RunState.h"
#include "StreamBatches.h"
#include "gensyn/Runtime/Training/LearningCurve.h"
#include "gensyn/Runtime/Training/RunWitness.h"
#include "gensyn/Runtime/Training/Train.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gensyn::runtime {

class SharedFile;

/// A run: parameters, state, position. It goes on from call to call; the data
/// may be others each time, but for those of an epoch in progress.
class Trainer {
public:
  /// Checks the folder of the run, if the options name one. All arguments must
  /// outlive the object.
  Trainer(const TrainOptions &options, const ProgramSource &source,
          TrainObserver &observer, const std::atomic<bool> &stop);

  /// Trains until the run has that many epochs, or `maxSteps` steps in all (0:
  /// no limit).
  TrainResult fit(FitData data, FitData evalData, int64_t epochs,
                  int64_t maxSteps);
  /// Runs a step outside of epochs.
  StepRecord step(TensorMap tensors);
  EvalRecord evaluate(FitData data);

  /// Prepares to replay the run step by step: as fit() does before its first
  /// step. The data are a set.
  void prepareReplay(FitData data, FitData evalData);
  /// Throws a Failure (bad input) that names the difference if this is not the
  /// run whose checkpoint has that state.json.
  void requireRun(const nlohmann::json &state, const std::string &where) const;
  /// A step that has not run yet.
  struct NextStep {
    /// Its batch; of no samples at the end of the run.
    int64_t samples = 0;
    int64_t batchSize = 0;
    /// Numbers of its samples in the data set.
    std::vector<int64_t> indices;
    std::string programDigest;
    /// The program's inputs, and their values in this order.
    std::vector<Port> ports;
    std::vector<Tensor> inputs;
  };
  NextStep peek();
  /// Runs a step, and the end of its epoch.
  void advance();
  /// Tells the witness, if there is one, where the run begins. All ranks call
  /// it at the same time.
  void tellBegin();

  /// Returns the whole state. Throws a Failure (usage) before the first step.
  /// All ranks call it at the same time, and have all of it.
  Checkpoint state();
  /// Its parameters and running statistics, in the same way.
  TensorMap modelTensors();
  /// Replaces it, at once or when the first program is made. `where` begins
  /// messages.
  void setState(Checkpoint state, const std::string &where);
  /// Null before the first step and the first evaluation.
  const ParameterStore *parameters() const { return begun ? &store : nullptr; }
  const Progress &position() const { return progress; }
  /// Of the data; 0 if that is not known.
  int64_t stepsPerEpoch() const { return data.steps; }
  /// The digest of the program that ran last; empty if none did.
  const std::string &lastProgram() const { return programDigest; }

private:
  /// A checkpoint that the run goes on from.
  struct Saved {
    Checkpoint checkpoint;
    /// Those of the tensors that it has, or will have.
    TensorHeaders model, optimizer;
    /// Where ranks that share the folder read them; null on other ranks, and if
    /// they are in `checkpoint`.
    std::shared_ptr<const CheckpointFiles> files;
    Progress progress;
    /// Its folder; empty if it comes from memory.
    std::filesystem::path place;
    std::string where;
  };

  // TrainSetup.cpp
  void requireOptimizer() const;
  std::unique_ptr<BatchSource> makeBatches(const FitData &data);
  void limitClasses(const FitData &data) const;
  BatchRules rulesOf(const std::string &where) const;
  void warnOfScalars();
  /// Prepares for the data. Returns the state that the run goes on from, if
  /// there is one.
  std::optional<Saved> prepare(FitData trainData, FitData evalData);
  /// Gives the tensors their first values and starts the log, once.
  void start(Saved *saved);
  /// Sets the step after which the run ends.
  void limitSteps(int64_t epochs, int64_t maxSteps);
  void requireSameData();
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
  /// Moves the batches to the position of the run.
  void seek();
  StepInputs inputsOf(const Batch &batch, int64_t step) const;
  void stage(const Batch &batch, int64_t step);
  StepRecord runStep(const Batch &batch, std::optional<Batch> &next,
                     bool wantsNext);
  bool mayRunAhead(const Batch &batch, const Batch &next) const;
  void endAhead(bool counts = true);
  StepRecord recordStep(const Batch &batch,
                        std::chrono::steady_clock::time_point start);
  void addToCurve(std::vector<CurvePoint> &points, int64_t step, double value);
  void finishEpoch();
  bool isCheckpointDue(int64_t step) const;
  void logParameters();
  void log(const OrderedJson &row);
  bool ended() const { return isStopped() || isFinished(); }
  bool isFinished() const {
    return progress.step >= lastStep ||
           (progress.epoch >= lastEpoch && progress.epochComplete) ||
           !monitors.stops().empty();
  }
  /// Passes the metrics of an epoch to the monitors. True if the step size was
  /// reduced.
  bool watch(double meanLoss);
  void requireFigures() const;
  void countStep(double loss);
  void writeResults();

  // TrainResume.cpp
  void requireState() const;
  /// Returns the state to go on from: that of setState, or the newest whole
  /// checkpoint in the folder if the run is to be resumed.
  std::optional<Saved> findSaved();
  std::optional<Saved> findOwnSaved(const FileDigest &digestOf);
  void restore(Saved &saved);
  void restoreTensors(Saved &saved);
  /// Throws a Failure (bad input) if the parameters do not have the digest that
  /// the checkpoint gives.
  void requireParameters(const Saved &saved) const;
  void readRow(const nlohmann::json &row);
  /// Returns the state.json of a checkpoint.
  OrderedJson describeNow(const std::string &parameters) const;
  /// Writes a checkpoint unless this step has one. All ranks call it at the
  /// same time if tensors are divided or ranks share the folder. `parameters`
  /// is their digest if that is known.
  void save(std::optional<std::string> parameters = std::nullopt);
  /// Writes the tensors of these names, as save(), and returns the digest of
  /// the file if `wantsDigest` and ranks have it.
  std::string writeTensors(const std::filesystem::path &file,
                           const ParameterStore::Names &names,
                           bool wantsDigest = false);
  std::string writeTogether(SharedFile &file, const SafeTensorsLayout &layout,
                            const ParameterStore::Names &names,
                            const std::vector<std::string> &order,
                            bool wantsDigest);
  TensorMap copyWhole(const ParameterStore::Names &names);
  /// Returns to the newest checkpoint of this run, or to its beginning.
  void goBack();

  // TrainRanks.cpp
  /// True on the rank that writes the run's folder.
  bool isFirst() const;
  void requireMicrobatches() const;
  std::vector<std::pair<std::string, std::string>> listAgreements() const;
  /// Throws a Failure (bad input) that names a rank which trains something else
  /// than the first one.
  void requireAgreement() const;
  void agreeToStop();
  /// Throws a Failure (out of resources) that names the rank whose parameters
  /// or state differ from those of the others, if the ranks compare after this
  /// step.
  void compareRanks() const;
  /// The digest of the parameters, on all ranks, which call it at the same
  /// time.
  std::string digestParameters();
  bool isStopped() const { return options.ranks ? stopsTogether : stop.load(); }
  std::optional<Saved> shareSaved(std::optional<Saved> saved) const;

  // TrainEvaluate.cpp
  std::unique_ptr<BatchSource> makeEvaluation(const FitData &data);
  std::vector<std::string> listEvaluated() const;
  /// True if other ranks than the first one do not have the parameters or the
  /// data for it; the same on all ranks.
  bool evaluatesAlone(const FitData &data) const;
  /// Throws a Failure (bad input) that names a rank with other evaluation data
  /// than the first one.
  void requireSameEvaluation(const FitData &data) const;
  /// `local` may be null on other ranks than the first one if that evaluates
  /// alone.
  EvalRecord evaluateTogether(const FitData &data, Evaluator *local);
  void evaluateEpoch();

  // TrainWitness.cpp
  /// The state by its digests. All ranks call it at the same time if tensors
  /// are divided, and the first one has all of it.
  WitnessedState witnessState();
  void tellStep(const Batch &batch);
  /// Once for a step. All ranks call it at the same time.
  void tellState();
  bool isWitnessed() const;

  // TrainNonFinite.cpp
  void rememberInfinities();
  std::vector<std::string> listTensors() const;
  std::string describeNonFinite() const;
  std::string describeNonFiniteOfAll() const;
  void requireFiniteLoss(double loss, const Batch &batch);
  void requireFiniteParameters();
  /// Finds the step and the op that are responsible, if `batches` can be had
  /// again.
  [[noreturn]] void failNonFinite(const std::string &what, const Batch *batch);
  std::string findNonFinite(const std::string &what, std::string &note);

  const TrainOptions &options;
  const Recipe &recipe;
  const ProgramSource &source;
  TrainObserver &observer;
  const std::atomic<bool> &stop;
  /// True if a rank was asked to stop.
  bool stopsTogether = false;
  /// The same if the first one wants a checkpoint, as its clock says.
  bool savesTogether = false;
  /// Null if nothing is written.
  std::unique_ptr<RunFolder> folder;
  ParameterStore store;
  /// Of `store`.
  DividedTensors tensors;
  ProgramPool trainPrograms, evalPrograms;
  /// The data of the call in progress.
  std::unique_ptr<BatchSource> batches;
  BatchFacts data;
  /// The most samples of a microbatch; 0: not known.
  int64_t microbatch = 0;
  std::string numericsVersion;
  /// Epochs end with an evaluation of these data; may be nothing.
  FitData evalData;
  /// Null on a rank that does not evaluate.
  std::optional<Evaluator> evaluator;
  LearningCurve curve;
  RunFacts facts;
  Progress progress;
  bool begun = false;
  std::optional<Saved> given;
  std::string programDigest;
  /// Steps may begin before the one before them is recorded.
  bool runsAhead = false;
  /// The program of a step that has done so; null if there is none.
  std::shared_ptr<Session> ahead;
  /// The step and the epoch after which the call ends.
  int64_t lastStep = 0, lastEpoch = 0;
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
  /// The last step whose state the witness knows, and what the checkpoint that
  /// the run goes on from kept for it.
  int64_t toldStep = 0;
  nlohmann::json witnessed;
};

} // namespace gensyn::runtime

#endif
