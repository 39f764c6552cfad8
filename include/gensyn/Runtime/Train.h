// The training loop.
#ifndef GENSYN_RUNTIME_TRAIN_H
#define GENSYN_RUNTIME_TRAIN_H

#include "gensyn/Executable/Recipe.h"
#include "gensyn/Runtime/CheckpointInterval.h"
#include "gensyn/Runtime/DataSource.h"
#include "gensyn/Runtime/Program.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gensyn::runtime {

/// The treatment of an earlier run in the folder.
enum class RunStart {
  /// Fail if there is one.
  New,
  /// Remove it.
  Replace,
  /// Go on from its newest good checkpoint.
  Resume,
};

/// An op whose result has an element that is not finite although all elements
/// of its operands are.
struct NonFiniteOp {
  /// "node 'fc' (Gemm)".
  std::string operation;
  ElementType type;
  std::vector<int64_t> shape;
  /// The first such element of the result, row-major.
  uint64_t element = 0;
};

/// The first op of a run that made a NaN although no operand had one, and the
/// first one that made an infinity of finite operands.
struct NonFiniteOps {
  std::optional<NonFiniteOp> nan;
  std::optional<NonFiniteOp> infinity;
  bool infinityFirst = false;
};

/// Looks for them, in a run of the "train" program for a batch size, or of the
/// digest, on inputs as its signature lists them. Throws a Failure that says
/// why it cannot.
using NonFiniteProbe = std::function<NonFiniteOps(
    int64_t batchSize, const std::string &programDigest,
    const std::vector<Tensor> &inputs)>;

struct TrainOptions {
  Recipe recipe;
  std::filesystem::path model;
  std::filesystem::path recipeFile;
  DataSource data;
  /// Empty: no evaluation.
  DataSource evalData;
  /// Where parameters start, in place of the model's own values: a file of
  /// tensors or the folder of a run. Empty: nowhere else.
  std::filesystem::path parameters;
  /// The run folder.
  std::filesystem::path folder;
  RunStart start = RunStart::New;
  /// Stop after so many steps of the whole run; 0: after the recipe's epochs.
  int64_t maxSteps = 0;
  CheckpointInterval checkpointEvery;
  /// Checkpoints that are kept.
  int64_t keep = 2;
  /// True if a loss or a parameter that is not finite ends the run.
  bool stopOnNan = true;
  /// Names ops for that; may be null.
  NonFiniteProbe probe;
  /// True if the program "initialize" gives tensors other values before the
  /// first step.
  bool initializes = false;
  /// Classes of the model, to check targets against; 0: not known.
  int64_t classes = 0;
  /// Backend and target, for program.json.
  std::string backend;
  std::string target;
};

/// The purpose of a program.
struct ProgramRequest {
  /// "infer", "grad", "train", "eval" or "initialize".
  std::string kind;
  /// 0 leaves it to the model, or to what is given.
  int64_t batchSize = 0;
  /// See listTensors(); decides about dimensions that the model leaves open.
  plan::GivenTensors given = {};
};

/// Makes programs. A model with a fixed batch may give another one than asked
/// for.
using ProgramSource =
    std::function<std::unique_ptr<Program>(const ProgramRequest &request)>;

/// Facts known before the first step.
struct TrainSummary {
  std::string programDigest;
  std::string numericsVersion;
  std::string initialDigest;
  /// The elements of what is trained, and its tensors.
  int64_t parameters = 0;
  int64_t parameterTensors = 0;
  int64_t samples = 0;
  int64_t evalSamples = 0;
  /// Of a window of tokens; 0 where samples are none.
  int64_t tokensPerSample = 0;
  int64_t batchSize = 0;
  int64_t stepsPerEpoch = 0;
  int64_t epochs = 0;
  /// Steps that will be done in all.
  int64_t steps = 0;
  /// Where a run goes on: steps done before, the checkpoint, and the digest of
  /// the parameters in it. 0 for one that begins.
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
  /// Other figures of the step, such as "grad_norm"; "lr" is among them.
  std::vector<std::pair<std::string, double>> metrics;
  double seconds = 0;
};

struct EvalRecord {
  int64_t samples = 0;
  double loss = 0;
  /// For classification.
  std::optional<double> accuracy;
  /// For classification: exp of the mean loss of a row.
  std::optional<double> perplexity;
  /// The recipe's `metrics`, by their names in the log ("eval_f1").
  std::vector<std::pair<std::string, double>> metrics;

  /// All figures by their names in the log, in its order.
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

/// An epoch, or the part of one that was done.
struct EpochRecord {
  int64_t epoch = 0;
  int64_t step = 0;
  bool complete = true;
  /// Mean of the steps' losses.
  double loss = 0;
  std::optional<EvalRecord> eval;
  /// Of the parameters and the model's state; see ParameterStore::digest.
  std::string digest;
  double seconds = 0;
};

/// Told what happens. Does nothing unless overridden.
class TrainObserver {
public:
  virtual ~TrainObserver() = default;
  virtual void begin(const TrainSummary &) {}
  virtual void step(const StepRecord &) {}
  virtual void epoch(const EpochRecord &) {}
  virtual void warn(const std::string &) {}
};

struct TrainResult {
  int64_t steps = 0;
  bool interrupted = false;
  /// Why the recipe's early_stopping ended the run; empty where it did not.
  std::string stoppedEarly;
  /// Where the parameters of the best epoch are; empty without the recipe's
  /// `best`.
  std::filesystem::path best;
  /// True if the run that was to go on had been done already.
  bool wasFinished = false;
  std::string digest;
};

/// Trains and writes the run folder: log.jsonl, parameters.safetensors,
/// checkpoints/step-N, program.json, curve.svg. Setting `stop` ends the run
/// after the step in progress, with everything saved. A run that is resumed has
/// the bits of one that was never stopped. Throws a Failure, also for a loss
/// that is not finite; files that are there by then are whole.
TrainResult train(const TrainOptions &options, const ProgramSource &source,
                  TrainObserver &observer, const std::atomic<bool> &stop);

} // namespace gensyn::runtime

#endif
