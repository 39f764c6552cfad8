// Training on data in memory: what a host program embeds.
#ifndef GENSYN_RUNTIME_MODELS_TRAINING_H
#define GENSYN_RUNTIME_MODELS_TRAINING_H

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Runtime/Models/ModelOptions.h"
#include "gensyn/Runtime/Models/ModelTensor.h"
#include "gensyn/Runtime/Ranks/Sharding.h"
#include "gensyn/Runtime/Training/CheckpointInterval.h"
#include "gensyn/Runtime/Training/Train.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// A model, its recipe, and where the run is written.
struct TrainingOptions {
  ModelOptions model;
  /// Parameters to begin with, as TrainOptions::parameters.
  std::filesystem::path parameters;
  /// The run folder, as of gensyn-run train; empty: nothing is written.
  std::filesystem::path folder;
  RunStart start = RunStart::New;
  CheckpointInterval checkpointEvery;
  /// Number of checkpoints to keep.
  int64_t keep = 2;
  /// Stop if the loss or a parameter is not finite.
  bool stopOnNan = true;
  /// The ranks that train together, as TrainOptions::ranks; they outlive the
  /// run.
  communication::Communicator *ranks = nullptr;
  /// What they divide: state, and a microbatch over so many groups (0: as many
  /// as there are).
  Sharding sharding = Sharding::None;
  ParallelRanks parallel;
  int64_t groups = 0;
  int64_t checkEvery = 0;
};

/// All that a run needs to go on, by names as in its files.
struct TrainingState {
  /// Parameters and running statistics.
  TensorMap model;
  /// State of the optimizer, and averages.
  TensorMap optimizer;
  /// The text of a checkpoint's state.json.
  std::string position;
};

/// A run of training that goes on from call to call. Calls fail (usage) while
/// another is in progress, but for those that only read, by the thread of the
/// call in progress (in the observer's functions); and in a child of fork.
/// Functions throw a Failure, and what a stream or the observer throws.
///
/// Ranks that train together make the same calls in the same order, but for
/// stop(), inputs() and what returns a position or a target; they fail if they
/// do not. After a failure of one of them no other call works.
class Training {
public:
  /// Opens the model and checks the recipe and the folder. `observer` must
  /// outlive the object.
  Training(TrainingOptions options, TrainObserver &observer);
  ~Training();
  Training(const Training &) = delete;
  Training &operator=(const Training &) = delete;

  /// The graph inputs in the model's order, then the target if the loss has
  /// one: what a batch consists of.
  const std::vector<ModelTensor> &inputs() const { return inputList; }
  /// Warns of what a user may not expect of the model.
  void warn();

  /// Trains until the run has `epochs` epochs (0: those of the recipe) or
  /// `maxSteps` steps in all (0: no limit). If the last call ended within an
  /// epoch, it goes on there.
  TrainResult fit(FitData data, FitData evalData, int64_t epochs,
                  int64_t maxSteps);
  /// Ends a call of fit after its step; from any thread.
  void stop();
  /// Runs a step outside of epochs.
  StepRecord step(TensorMap tensors);
  /// The loss and the metrics of the recipe.
  EvalRecord evaluate(FitData data);

  TrainingState state();
  /// Its parameters and running statistics.
  TensorMap modelTensors();
  /// Goes on from a state. `where` begins messages.
  void setState(TrainingState state, const std::string &where);
  /// Writes a checkpoint, a folder, and reads one.
  void save(const std::filesystem::path &place);
  void load(const std::filesystem::path &place);

  /// Steps and epochs that are done.
  int64_t steps();
  int64_t epochs();
  /// Digest of parameters and running statistics; see ParameterStore::digest.
  std::string digest();
  /// Digest of the program that ran last; empty if none did.
  std::string programDigest();
  std::string target();

private:
  struct State;
  class Locked;

  TrainingOptions options;
  std::vector<ModelTensor> inputList;
  std::unique_ptr<State> state_;
};

} // namespace gensyn::runtime

#endif
