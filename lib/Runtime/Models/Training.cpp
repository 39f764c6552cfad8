// Holds a Trainer for a host program.

#include "gensyn/Runtime/Models/Training.h"

#include "../Ranks/DifferentRank.h"
#include "../Ranks/ReportFailures.h"
#include "../Training/Trainer.h"
#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Models/TrainingChecks.h"

#include <atomic>
#include <functional>
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
  training.threads = unsigned(options.model.threads);
  training.target = model.target();
  training.probe = [this](int64_t batchSize, const std::string &digest,
                          const std::vector<Tensor> &inputs) {
    return model.probe(batchSize, digest, inputs);
  };
  training.ranks = options.ranks;
  training.divided = model.shardedState();
  training.parallel = options.parallel;
  training.checkEvery = options.checkEvery;
  source = [this, sharding = options.sharding](const ProgramRequest &request) {
    return training.ranks ? model.rankedProgram(request, *training.ranks,
                                                sharding, training.parallel)
                          : model.program(request);
  };
  trainer.emplace(training, source, observer, stopped);
}

/// Throws a Failure (usage) that names a rank which makes another call than the
/// first one: they would wait for each other in vain.
static void requireSameCall(communication::Communicator &ranks,
                            const std::string &call) {
  const std::vector<std::string> all = ranks.gather(call);
  if (const std::optional<int> rank = findDifferentRank(all))
    throw Failure(ExitCode::Usage,
                  ranks.describe(0) + " is in " + quote(all.front()) + " and " +
                      ranks.describe(*rank) + " in " +
                      quote(all[size_t(*rank)]),
                  "ranks that train together make the same calls");
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

  /// True on the rank that writes files.
  bool isFirst() const {
    const communication::Communicator *ranks = state.training.ranks;
    return !ranks || ranks->rank() == 0;
  }

  /// Calls a function that ranks call together.
  template <class Function>
  auto together(const std::string &call, Function function) {
    communication::Communicator *ranks = state.training.ranks;
    if (!ranks)
      return function();
    std::optional<decltype(function())> result;
    reportFailures(*ranks, [&] {
      requireSameCall(*ranks, call);
      result = function();
    });
    return std::move(*result);
  }

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
  return locked.together("fit", [&] {
    return locked.trainer().fit(
        data, evalData, epochs ? epochs : locked->training.recipe.epochs,
        maxSteps);
  });
}

void Training::stop() { state_->stopped = true; }

StepRecord Training::step(TensorMap tensors) {
  Locked locked(*this, Locked::Change);
  return locked.together(
      "step", [&] { return locked.trainer().step(std::move(tensors)); });
}

EvalRecord Training::evaluate(FitData data) {
  Locked locked(*this, Locked::Change);
  return locked.together("evaluate",
                         [&] { return locked.trainer().evaluate(data); });
}

TrainingState Training::state() {
  Locked locked(*this, Locked::Read);
  Checkpoint checkpoint =
      locked.together("state", [&] { return locked.trainer().state(); });
  return {std::move(checkpoint.model), std::move(checkpoint.optimizer),
          checkpoint.state.dump()};
}

TensorMap Training::modelTensors() {
  Locked locked(*this, Locked::Read);
  return locked.together("model",
                         [&] { return locked.trainer().modelTensors(); });
}

/// Goes on from a checkpoint that may be read or not.
template <class Locked>
static void goOn(Locked &locked, const std::string &call,
                 const std::function<Checkpoint()> &read,
                 const std::string &where) {
  locked.together(call, [&] {
    locked.trainer().setState(read(), where);
    return true;
  });
}

void Training::setState(TrainingState state, const std::string &where) {
  Locked locked(*this, Locked::Change);
  Checkpoint checkpoint = {std::move(state.model), std::move(state.optimizer),
                           OrderedJson(nullptr)};
  checkpoint.state =
      OrderedJson::parse(state.position, nullptr, /*allow_exceptions=*/false);
  if (!checkpoint.state.is_object())
    failBadInput(where + ": is not the state of a run");
  goOn(locked, "set_state", [&] { return std::move(checkpoint); }, where);
}

void Training::save(const std::filesystem::path &place) {
  Locked locked(*this, Locked::Read);
  locked.together("save", [&] {
    const Checkpoint checkpoint = locked.trainer().state();
    if (locked.isFirst())
      writeCheckpoint(place, checkpoint);
    return true;
  });
}

void Training::load(const std::filesystem::path &place) {
  Locked locked(*this, Locked::Change);
  goOn(locked, "load", [&] { return readCheckpoint(place); }, place.string());
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
  return digestTensors(locked.together(
      "digest", [&] { return locked.trainer().modelTensors(); }));
}

std::string Training::programDigest() {
  return Locked(*this, Locked::Read).trainer().lastProgram();
}

std::string Training::target() {
  return Locked(*this, Locked::Read)->model.target();
}

} // namespace gensyn::runtime
