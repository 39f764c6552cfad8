// The training loop.
#ifndef GENSYN_RUNTIME_TRAINING_TRAIN_H
#define GENSYN_RUNTIME_TRAINING_TRAIN_H

#include "gensyn/Executable/ProgramKind.h"
#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Data/DataSource.h"
#include "gensyn/Runtime/Data/GivenTensors.h"
#include "gensyn/Runtime/Devices/Program.h"
#include "gensyn/Runtime/Ranks/ParallelRanks.h"
#include "gensyn/Runtime/Training/CheckpointInterval.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gensyn::communication {
class Communicator;
} // namespace gensyn::communication

namespace gensyn::runtime {

/// Treatment of an earlier run in the folder.
enum class RunStart {
  /// Fail if the folder has a run.
  New,
  /// Remove it.
  Replace,
  /// Continue from its newest valid checkpoint.
  Resume,
};

/// An op whose result has an element that is not finite although all elements
/// of its operands are.
struct NonFiniteOp {
  /// Name of the op: "node 'fc' (Gemm)".
  std::string operation;
  ElementType type;
  std::vector<int64_t> shape;
  /// Row-major index of the first such element of the result.
  uint64_t element = 0;
};

/// The first op of a run that produced a NaN from operands without NaN, and the
/// first one that produced an infinity from finite operands.
struct NonFiniteOps {
  std::optional<NonFiniteOp> nan;
  std::optional<NonFiniteOp> infinity;
  bool infinityFirst = false;
};

/// Finds these ops in a run of the "train" program for a batch size, or of the
/// program with the given digest, on inputs in the order of its signature.
/// Throws a Failure with the reason if that is not possible.
using NonFiniteProbe = std::function<NonFiniteOps(
    int64_t batchSize, const std::string &programDigest,
    const std::vector<Tensor> &inputs)>;

class BatchStream;
class DataSet;
class RunWitness;
struct ShardedState;

/// Data to train on or to evaluate: one of the two, or nothing.
struct FitData {
  DataSet *set = nullptr;
  BatchStream *stream = nullptr;

  explicit operator bool() const { return set || stream; }
};

struct TrainOptions {
  Recipe recipe;
  std::filesystem::path model;
  std::filesystem::path recipeFile;
  DataSource data;
  /// Empty: no evaluation.
  DataSource evalData;
  /// Initial parameters that replace the model's own values: a file of tensors
  /// or a run folder. Empty: the model's own.
  std::filesystem::path parameters;
  /// The run folder; empty: nothing is written. Not for train().
  std::filesystem::path folder;
  RunStart start = RunStart::New;
  /// Stop after that many steps of the whole run; 0: after the recipe's epochs.
  int64_t maxSteps = 0;
  CheckpointInterval checkpointEvery;
  /// Number of checkpoints to keep.
  int64_t keep = 2;
  /// Stop if the loss or a parameter is not finite.
  bool stopOnNan = true;
  /// Finds the ops that are responsible; may be null.
  NonFiniteProbe probe;
  /// Run the program of ProgramKind::Initialize before the first step.
  bool initializes = false;
  /// Number of classes of the model, to check targets against; 0: unknown.
  int64_t classes = 0;
  /// The ranks that train together, all with the same options; null: this
  /// process alone. The first one has the folder, and its data and model are
  /// the others' too.
  communication::Communicator *ranks = nullptr;
  /// The tensors that their programs divide (Model::shardedState); null: none.
  std::shared_ptr<ShardedState> divided;
  runtime::ParallelRanks parallel;
  /// Ranks compare all tensors that they all have after each of so many steps;
  /// 0: never.
  int64_t checkEvery = 0;
  /// Learns what the run does; may be null.
  RunWitness *witness = nullptr;
  /// Threads that hash what the witness is told; 0: as many as the process may
  /// use.
  unsigned threads = 0;
  /// Backend and target, and recordProgramOptions(), for program.json.
  std::string backend;
  std::string target;
  OrderedJson programOptions;
};

/// Describes the program that is needed.
struct ProgramRequest {
  ProgramKind kind;
  /// 0: determined by the model or by `given`.
  int64_t batchSize = 0;
  /// See listTensors(); resolves dimensions that the model leaves dynamic.
  GivenTensors given = {};
  /// True if all ranks make the same requests at the same time. Those for
  /// training programs always are.
  bool byAllRanks = false;
  /// Not the program, but one iteration of an op of it (Iterations.h), each of
  /// the one before.
  struct Nested {
    /// The position of the op in its program, and the program that it chooses.
    uint32_t position = 0, variant = 0;
  };
  std::vector<Nested> nested = {};
};

/// Compiles programs. If the model's batch size is fixed, the program's batch
/// size may differ from the requested one.
using ProgramSource =
    std::function<std::unique_ptr<Program>(const ProgramRequest &request)>;

/// Facts known before the first step.
struct TrainSummary {
  std::string programDigest;
  std::string numericsVersion;
  std::string initialDigest;
  /// Number of trained elements, and of trained tensors.
  int64_t parameters = 0;
  int64_t parameterTensors = 0;
  /// Of an epoch; 0 if that is not known.
  int64_t samples = 0;
  int64_t evalSamples = 0;
  /// Tokens of a window; 0 if samples are not windows.
  int64_t tokensPerSample = 0;
  int64_t batchSize = 0;
  int64_t stepsPerEpoch = 0;
  int64_t epochs = 0;
  /// Number of steps of the whole run; 0 if that is not known.
  int64_t steps = 0;
  /// For a resumed run: steps done before, the checkpoint, and the digest of
  /// its parameters. 0 for a new run.
  int64_t resumedStep = 0;
  std::filesystem::path resumedFrom;
  std::string resumedDigest;
};

struct StepRecord {
  int64_t step = 0;
  int64_t epoch = 0;
  int64_t samples = 0;
  double loss = 0;
  double lr = 0;
  /// Other metrics of the step, such as "grad_norm"; "lr" is among them.
  std::vector<std::pair<std::string, double>> metrics;
  double seconds = 0;
};

struct EvalRecord {
  int64_t samples = 0;
  double loss = 0;
  /// For classification.
  std::optional<double> accuracy;
  /// For classification: exp of the mean loss per row.
  std::optional<double> perplexity;
  /// The recipe's `metrics`, by their names in the log ("eval_f1").
  std::vector<std::pair<std::string, double>> metrics;

  /// Returns all metrics by their names in the log, in its order.
  std::vector<std::pair<std::string, double>> figures() const {
    std::vector<std::pair<std::string, double>> all = {{"eval_loss", loss}};
    if (accuracy)
      all.emplace_back("eval_accuracy", *accuracy);
    if (perplexity)
      all.emplace_back("eval_perplexity", *perplexity);
    all.insert(all.end(), metrics.begin(), metrics.end());
    return all;
  }
  double seconds = 0;
};

/// An epoch, or the completed part of one.
struct EpochRecord {
  int64_t epoch = 0;
  int64_t step = 0;
  bool complete = true;
  /// Mean of the steps' losses.
  double loss = 0;
  std::optional<EvalRecord> eval;
  /// Digest of the parameters and the model's state; see
  /// ParameterStore::digest.
  std::string digest;
  double seconds = 0;
};

/// Receives the progress of a run. The default methods do nothing.
class TrainObserver {
public:
  virtual ~TrainObserver() = default;
  virtual void begin(const TrainSummary &) {}
  virtual void step(const StepRecord &) {}
  /// True if step() may read the state of the run or stop it. If not, the next
  /// step may have begun when it is called; a stop ends the run after that one.
  virtual bool watchesSteps() const { return true; }
  virtual void epoch(const EpochRecord &) {}
  virtual void warn(const std::string &) {}
};

struct TrainResult {
  int64_t steps = 0;
  bool interrupted = false;
  /// The reason why the recipe's early_stopping ended the run; empty if it did
  /// not.
  std::string stoppedEarly;
  /// Path of the parameters of the best epoch; empty without the recipe's
  /// `best`.
  std::filesystem::path best;
  /// True if the run to resume was already complete.
  bool wasFinished = false;
  std::string digest;
};

/// Trains and writes the run folder: log.jsonl, parameters.safetensors,
/// checkpoints/step-N, program.json, curve.svg. Setting `stop` ends the run
/// after the current step and saves everything. A resumed run has the same bits
/// as one that was never stopped. Throws a Failure, also for a loss that is not
/// finite; files that exist by then are complete.
TrainResult train(const TrainOptions &options, const ProgramSource &source,
                  TrainObserver &observer, const std::atomic<bool> &stop);

} // namespace gensyn::runtime

#endif
