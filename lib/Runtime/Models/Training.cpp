// Holds a Trainer for a host program.

#include "gensyn/Runtime/Models/Training.h"

#include "../Training/Trainer.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Models/TrainingChecks.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include <unistd.h>

namespace gensyn::runtime {

struct Training::State {
  State(const TrainingOptions &options, TrainObserver &observer);

  /// The process that the threads of the device are in.
  const pid_t process = ::getpid();
  /// Held by the call in progress, by its thread twice where it only reads.
  std::recursive_mutex mutex;
  bool isBusy = false;
  std::atomic<bool> stopped{false};
  Model model;
  TrainOptions training;
  ProgramSource source;
  std::optional<Trainer> trainer;
};

Training::State::State(const TrainingOptions &options, TrainObserver &observer)
    : model(options.model) {
  training.recipe = model.recipe();
  if (training.recipe.usesTrainingInfo)
    training.initializes = requireTrainingInfo(model, /*lacksRecipe=*/false);
  training.model = options.model.model;
  training.recipeFile = options.model.recipe;
  training.parameters = options.parameters;
  training.folder = options.folder;
  training.start = options.start;
  training.checkpointEvery = options.checkpointEvery;
  training.keep = options.keep;
  training.stopOnNan = options.stopOnNan;
  training.classes = model.classes();
  training.backend = options.model.backend;
  training.target = model.target();
  training.probe = [this](int64_t batchSize, const std::string &digest,
                          const std::vector<Tensor> &inputs) {
    return model.probe(batchSize, digest, inputs);
  };
  source = [this](const ProgramRequest &request) {
    return model.program(request);
  };
  trainer.emplace(training, source, observer, stopped);
}

/// The state, for one call.
class Training::Locked {
public:
  enum Access { Read, Change };

  Locked(const Training &owner, Access access)
      : state(*owner.state_), access(access) {
    if (state.process != ::getpid())
      throw Failure(ExitCode::Usage,
                    "a trainer does not work in a child of fork",
                    "make one there");
    if (!state.mutex.try_lock())
      failBusy();
    if (access == Change && std::exchange(state.isBusy, true)) {
      state.mutex.unlock();
      failBusy();
    }
  }
  ~Locked() {
    if (access == Change)
      state.isBusy = false;
    state.mutex.unlock();
  }
  Locked(const Locked &) = delete;
  Locked &operator=(const Locked &) = delete;

  State *operator->() { return &state; }
  Trainer &trainer() { return *state.trainer; }

private:
  [[noreturn]] static void failBusy() {
    throw Failure(ExitCode::Usage, "another call of the trainer is in progress",
                  "callbacks may read its state, and stop it");
  }

  State &state;
  Access access;
};

/// The tensor that holds the targets, by the rules of docs/Running.md.
static std::optional<ModelTensor> describeTarget(const Recipe &recipe,
                                                 const ModelTensors &tensors) {
  if (recipe.usesTrainingInfo || recipe.loss.kind == "graph_output")
    return std::nullopt;
  ModelTensor target;
  target.name = recipe.loss.target;
  const ModelTensor *output = nullptr;
  for (const ModelTensor &each : tensors.outputs)
    if (each.name == recipe.loss.output ||
        (recipe.loss.output.empty() && tensors.outputs.size() == 1))
      output = &each;
  if (recipe.loss.hasClasses())
    target.type = ElementType::I64;
  else if (output && bitWidth(output->type) >= 32)
    target.type = output->type;
  if (!output)
    return target;
  target.shape = output->shape;
  if (recipe.loss.hasClasses() && !target.shape.empty()) {
    const auto rank = int64_t(target.shape.size());
    int64_t axis = recipe.loss.axis.value_or(-1);
    axis += axis < 0 ? rank : 0;
    if (axis >= 0 && axis < rank)
      target.shape.erase(target.shape.begin() + axis);
  }
  return target;
}

Training::Training(TrainingOptions given, TrainObserver &observer)
    : options(std::move(given)) {
  state_ = std::make_unique<State>(options, observer);
  ModelTensors tensors = readModelTensors(
      state_->model.facts(), options.model.dims, options.model.model.string());
  std::optional<ModelTensor> target =
      describeTarget(state_->training.recipe, tensors);
  inputList = std::move(tensors.inputs);
  if (target)
    inputList.push_back(std::move(*target));
}

/// In a child of fork the state is leaked: its destructor would wait for
/// threads that are not in this process, and end the compiler of the parent.
Training::~Training() {
  if (state_ && state_->process != ::getpid())
    (void)state_.release();
}

void Training::warn() {
  Locked locked(*this, Locked::Change);
  warnOfTraining(locked->model, options.model.warn);
}

TrainResult Training::fit(FitData data, FitData evalData, int64_t epochs,
                          int64_t maxSteps) {
  Locked locked(*this, Locked::Change);
  locked->stopped = false;
  return locked.trainer().fit(data, evalData,
                              epochs ? epochs : locked->training.recipe.epochs,
                              maxSteps);
}

void Training::stop() { state_->stopped = true; }

StepRecord Training::step(TensorMap tensors) {
  Locked locked(*this, Locked::Change);
  return locked.trainer().step(std::move(tensors));
}

EvalRecord Training::evaluate(FitData data) {
  Locked locked(*this, Locked::Change);
  return locked.trainer().evaluate(data);
}

TrainingState Training::state() {
  Locked locked(*this, Locked::Read);
  Checkpoint checkpoint = locked.trainer().state();
  return {std::move(checkpoint.model), std::move(checkpoint.optimizer),
          checkpoint.state.dump()};
}

void Training::setState(TrainingState state, const std::string &where) {
  Locked locked(*this, Locked::Change);
  Checkpoint checkpoint = {std::move(state.model), std::move(state.optimizer),
                           OrderedJson(nullptr)};
  checkpoint.state =
      OrderedJson::parse(state.position, nullptr, /*allow_exceptions=*/false);
  if (!checkpoint.state.is_object())
    failBadInput(where + ": is not the state of a run");
  locked.trainer().setState(std::move(checkpoint), where);
}

void Training::save(const std::filesystem::path &place) {
  Locked locked(*this, Locked::Read);
  writeCheckpoint(place, locked.trainer().state());
}

void Training::load(const std::filesystem::path &place) {
  Locked locked(*this, Locked::Change);
  locked.trainer().setState(readCheckpoint(place), place.string());
}

int64_t Training::steps() {
  return Locked(*this, Locked::Read).trainer().position().step;
}

int64_t Training::epochs() {
  Locked locked(*this, Locked::Read);
  const Progress &position = locked.trainer().position();
  return position.epoch - (position.epoch > 0 && !position.epochComplete);
}

std::string Training::digest() {
  Locked locked(*this, Locked::Read);
  return digestTensors(locked.trainer().state().model);
}

std::string Training::programDigest() {
  return Locked(*this, Locked::Read).trainer().lastProgram();
}

std::string Training::target() {
  return Locked(*this, Locked::Read)->model.target();
}

} // namespace gensyn::runtime
