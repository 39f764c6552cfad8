// The training loop.
#ifndef GENSYN_RUNTIME_TRAIN_H
#define GENSYN_RUNTIME_TRAIN_H

#include "gensyn/Runtime/Program.h"
#include "gensyn/Runtime/Recipe.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace gensyn::runtime {

struct TrainOptions {
  Recipe recipe;
  std::filesystem::path model;
  std::filesystem::path recipeFile;
  std::filesystem::path data;
  /// Empty: no evaluation.
  std::filesystem::path evalData;
  /// The run folder.
  std::filesystem::path folder;
  /// Replace the files of an earlier run in the folder.
  bool overwrite = false;
  /// Stop after so many steps; 0: after the recipe's epochs.
  int64_t maxSteps = 0;
  /// Classes of the model, to check targets against; 0: not known.
  int64_t classes = 0;
  /// Backend and target, for program.json.
  std::string backend;
  std::string target;
};

/// Makes programs: `kind` is "train" or "eval". A batch size of 0 leaves it to
/// the model; a model with a fixed batch may give another one than asked for.
using ProgramSource = std::function<std::unique_ptr<Program>(
    const std::string &kind, int64_t batchSize)>;

/// What is known before the first step.
struct TrainSummary {
  std::string programDigest;
  std::string numericsVersion;
  std::string initialDigest;
  int64_t parameters = 0;
  int64_t samples = 0;
  int64_t evalSamples = 0;
  int64_t batchSize = 0;
  int64_t stepsPerEpoch = 0;
  int64_t epochs = 0;
  /// Steps that will be done in all.
  int64_t steps = 0;
};

struct StepRecord {
  int64_t step = 0;
  int64_t epoch = 0;
  double loss = 0;
  double lr = 0;
  double seconds = 0;
};

struct EvalRecord {
  int64_t samples = 0;
  double loss = 0;
  /// For classification.
  std::optional<double> accuracy;
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
  std::string digest;
};

/// Trains and writes the run folder: log.jsonl, parameters.safetensors,
/// checkpoints/step-N, program.json, curve.svg. Setting `stop` ends the run
/// after the step in progress, with everything saved. Throws a Failure; files
/// that are there by then are whole.
TrainResult train(const TrainOptions &options, const ProgramSource &source,
                  TrainObserver &observer, const std::atomic<bool> &stop);

} // namespace gensyn::runtime

#endif
