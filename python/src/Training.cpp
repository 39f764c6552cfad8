// The class gensyn._core.Training: a run, its observer, and its data.

#include "Training.h"

#include "Arrays.h"
#include "Ranks.h"
#include "TrainingData.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Runtime/Data/Shuffle.h"
#include "gensyn/Runtime/Models/Training.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <memory>
#include <utility>

namespace nb = nanobind;

namespace gensyn::python {

namespace {

nb::dict describe(const runtime::StepRecord &record) {
  nb::dict row;
  row["step"] = record.step;
  row["epoch"] = record.epoch;
  row["samples"] = record.samples;
  row["loss"] = record.loss;
  row["lr"] = record.lr;
  for (const auto &[name, value] : record.metrics)
    row[name.c_str()] = value;
  row["seconds"] = record.seconds;
  return row;
}

void addEvaluation(const runtime::EvalRecord &record, nb::dict &row) {
  for (const auto &[name, value] : record.figures())
    row[name.c_str()] = value;
  row["eval_samples"] = record.samples;
}

nb::dict describe(const runtime::EpochRecord &record) {
  nb::dict row;
  row["epoch"] = record.epoch;
  row["step"] = record.step;
  row["complete"] = record.complete;
  row["loss"] = record.loss;
  if (record.eval)
    addEvaluation(*record.eval, row);
  row["digest"] = record.digest;
  row["seconds"] = record.seconds;
  return row;
}

nb::dict describe(const runtime::TrainSummary &summary) {
  nb::dict row;
  row["program_digest"] = summary.programDigest;
  row["initial_digest"] = summary.initialDigest;
  row["parameters"] = summary.parameters;
  row["parameter_tensors"] = summary.parameterTensors;
  row["samples"] = summary.samples;
  row["eval_samples"] = summary.evalSamples;
  row["batch_size"] = summary.batchSize;
  row["steps_per_epoch"] = summary.stepsPerEpoch;
  row["epochs"] = summary.epochs;
  row["steps"] = summary.steps;
  row["resumed_step"] = summary.resumedStep;
  return row;
}

/// Passes the events of a run to a Python object with the methods begin, step,
/// epoch (of a dict) and warn (of a text). What they raise, and what a signal
/// raises, ends the run after its step, and is kept.
class Observer final : public runtime::TrainObserver {
public:
  explicit Observer(nb::object object) : object(std::move(object)) {}

  void begin(const runtime::TrainSummary &summary) override {
    tell([&] { object.attr("begin")(describe(summary)); });
  }
  void step(const runtime::StepRecord &record) override {
    tell([&] { object.attr("step")(describe(record)); });
  }
  bool watchesSteps() const override {
    const nb::gil_scoped_acquire acquire;
    return nb::cast<bool>(object.attr("watches_steps")());
  }
  void epoch(const runtime::EpochRecord &record) override {
    tell([&] { object.attr("epoch")(describe(record)); });
  }
  void warn(const std::string &text) override {
    tell([&] { object.attr("warn")(text); });
  }

  void attach(runtime::Training &run) { training = &run; }
  /// Raises what was kept.
  void raise() {
    if (failure)
      std::rethrow_exception(std::exchange(failure, nullptr));
  }

private:
  template <class Function> void tell(Function function) {
    const nb::gil_scoped_acquire acquire;
    try {
      if (failure)
        return;
      function();
      if (PyErr_CheckSignals() != 0)
        nb::raise_python_error();
    } catch (...) {
      failure = std::current_exception();
      if (training)
        training->stop();
    }
  }

  nb::object object;
  runtime::Training *training = nullptr;
  std::exception_ptr failure;
};

class Training {
public:
  Training(const std::string &model, const std::string &library,
           const std::string &recipe, const std::string &recipeName,
           const std::string &backend, const std::string &instructionSet,
           unsigned threads, int device, uint64_t deviceMemory,
           const std::map<std::string, int64_t> &dims, const std::string &cache,
           uint64_t memoryBudget, const std::string &parameters,
           const std::string &folder, const std::string &start,
           const std::string &checkpointEvery, int64_t keep, bool stopOnNan,
           bool joinsRanks, double rankTimeout, const std::string &shard,
           const std::map<std::string, int64_t> &parallel, int64_t checkEvery,
           nb::object observer, nb::callable finish);

  nb::dict fit(nb::object data, nb::object evalData, int64_t epochs,
               int64_t maxSteps);
  nb::dict step(const nb::list &tensors);
  nb::dict evaluate(nb::object data);
  nb::tuple state();
  nb::dict modelTensors();
  void setState(const nb::list &model, const nb::list &optimizer,
                const std::string &position, const std::string &where);
  nb::list inputs() const;

  runtime::Training &run() { return *training; }

private:
  /// Calls a function of the run without the GIL, then raises what the observer
  /// kept.
  template <class Function> auto call(Function function) {
    auto result = [&] {
      const nb::gil_scoped_release release;
      return function();
    }();
    observer->raise();
    return result;
  }

  std::unique_ptr<Observer> observer;
  std::unique_ptr<runtime::Training> training;
  nb::callable finish;
};

/// Data of one call: a Data, None, or an object with batches.
class CallData {
public:
  explicit CallData(nb::object from) {
    if (from.is_none())
      return;
    if (nb::isinstance<Data>(from))
      data = nb::cast<Data *>(from);
    else
      stream = std::make_unique<Stream>(from);
    object = std::move(from);
  }
  ~CallData() = default;

  /// Without the GIL.
  runtime::FitData open() {
    if (data)
      set = std::make_unique<runtime::DataSet>(data->open());
    return {set.get(), stream.get()};
  }

private:
  nb::object object;
  Data *data = nullptr;
  std::unique_ptr<Stream> stream;
  std::unique_ptr<runtime::DataSet> set;
};

} // namespace

static runtime::RunStart readStart(const std::string &word) {
  return word == "resume"    ? runtime::RunStart::Resume
         : word == "replace" ? runtime::RunStart::Replace
                             : runtime::RunStart::New;
}

Training::Training(const std::string &model, const std::string &library,
                   const std::string &recipe, const std::string &recipeName,
                   const std::string &backend,
                   const std::string &instructionSet, unsigned threads,
                   int device, uint64_t deviceMemory,
                   const std::map<std::string, int64_t> &dims,
                   const std::string &cache, uint64_t memoryBudget,
                   const std::string &parameters, const std::string &folder,
                   const std::string &start, const std::string &checkpointEvery,
                   int64_t keep, bool stopOnNan, bool joinsRanks,
                   double rankTimeout, const std::string &shard,
                   const std::map<std::string, int64_t> &parallel,
                   int64_t checkEvery, nb::object object, nb::callable finish)
    : observer(std::make_unique<Observer>(std::move(object))),
      finish(std::move(finish)) {
  runtime::TrainingOptions options;
  options.model.model = model;
  options.model.compilerNeighbour = library;
  options.model.recipeText = recipe;
  options.model.recipe = recipeName;
  options.model.needsRecipe = true;
  options.model.backend = backend;
  options.model.instructionSet = instructionSet;
  options.model.threads = threads;
  if (device >= 0)
    options.model.device = device;
  options.model.deviceMemory = deviceMemory;
  options.model.dims = dims;
  options.model.cache = cache;
  options.model.memoryBudget = memoryBudget;
  options.model.bodies = true;
  options.model.warn = [observer = observer.get()](const std::string &text) {
    observer->warn(text);
  };
  options.parameters = parameters;
  options.folder = folder;
  options.start = readStart(start);
  options.keep = keep;
  options.stopOnNan = stopOnNan;
  if (!checkpointEvery.empty()) {
    const auto every = runtime::parseCheckpointInterval(checkpointEvery);
    if (!every)
      throw Failure(ExitCode::Usage,
                    "checkpoint_every is '" + checkpointEvery +
                        "', expected such as '500steps', '2epochs' or '30s'");
    options.checkpointEvery = *every;
  }
  runtime::checkBackend(backend);
  const auto sharding = runtime::shardingFromName(shard);
  if (!sharding)
    throw Failure(ExitCode::Usage, "shard is '" + shard +
                                       "', expected 'none', 'optimizer', "
                                       "'gradients' or 'parameters'");
  options.sharding = *sharding;
  for (const auto &[what, count] : parallel)
    (what == "pipeline"     ? options.parallel.stages
     : what == "interleave" ? options.parallel.interleave
     : what == "tensor"     ? options.parallel.tensors
                            : options.groups) = count;
  options.checkEvery = checkEvery;
  {
    const nb::gil_scoped_release release;
    if (joinsRanks)
      options.ranks = ranksOfProcess(library, rankTimeout);
    if (options.ranks)
      runtime::fitToRank(options.model, *options.ranks);
    runtime::requireGroups(options.parallel, options.groups,
                           options.ranks ? options.ranks->size() : 1);
    training =
        std::make_unique<runtime::Training>(std::move(options), *observer);
    training->warn();
  }
  observer->attach(*training);
  observer->raise();
}

nb::dict Training::fit(nb::object data, nb::object evalData, int64_t epochs,
                       int64_t maxSteps) {
  CallData train(std::move(data)), eval(std::move(evalData));
  const runtime::TrainResult result = call([&] {
    return training->fit(train.open(), eval.open(), epochs, maxSteps);
  });
  nb::dict row;
  row["steps"] = result.steps;
  row["interrupted"] = result.interrupted;
  row["stopped_early"] = result.stoppedEarly;
  row["best"] = result.best.string();
  row["was_finished"] = result.wasFinished;
  row["digest"] = result.digest;
  return row;
}

nb::dict Training::step(const nb::list &list) {
  TensorMap tensors = readTensors(list);
  return describe(call([&] { return training->step(std::move(tensors)); }));
}

nb::dict Training::evaluate(nb::object data) {
  CallData given(std::move(data));
  nb::dict row;
  addEvaluation(call([&] { return training->evaluate(given.open()); }), row);
  return row;
}

nb::tuple Training::state() {
  runtime::TrainingState state = call([&] { return training->state(); });
  return nb::make_tuple(makeArrays(std::move(state.model), finish),
                        makeArrays(std::move(state.optimizer), finish),
                        state.position);
}

nb::dict Training::modelTensors() {
  return makeArrays(call([&] { return training->modelTensors(); }), finish);
}

void Training::setState(const nb::list &model, const nb::list &optimizer,
                        const std::string &position, const std::string &where) {
  runtime::TrainingState state = {readTensors(model), readTensors(optimizer),
                                  position};
  const nb::gil_scoped_release release;
  training->setState(std::move(state), where);
}

nb::list Training::inputs() const {
  return describeTensors(training->inputs());
}

/// Calls a method of the run without the GIL.
template <auto Method> static auto unlocked(Training &training) {
  const nb::gil_scoped_release release;
  return (training.run().*Method)();
}

template <void (runtime::Training::*Method)(const std::filesystem::path &)>
static void withPath(Training &training, const std::string &place) {
  const nb::gil_scoped_release release;
  (training.run().*Method)(place);
}

// Types for the stub of the module.
#define TENSORS "list[tuple[str, str, typing.Any]]"
#define RECORD "dict[str, typing.Any]"

void defineTraining(nb::module_ &module) {
  module.def("permutation", &runtime::permutation, nb::arg("count"),
             nb::arg("seed"), nb::arg("epoch"),
             "The order of samples in an epoch.");
  nb::class_<Data>(module, "Data", "Samples in arrays or files.")
      .def_static("of_arrays", &Data::ofArrays, nb::arg("name"),
                  nb::arg("tensors"), nb::arg("sequence_length"),
                  nb::sig("def of_arrays(name: str, tensors: " TENSORS
                          ", sequence_length: int) -> Data"))
      .def_static("of_files", &Data::ofFiles, nb::arg("parts"),
                  nb::arg("sequence_length"));
  nb::class_<Training>(module, "Training",
                       "A run of training; see gensyn.Trainer.")
      .def(nb::init<const std::string &, const std::string &,
                    const std::string &, const std::string &,
                    const std::string &, const std::string &, unsigned, int,
                    uint64_t, const std::map<std::string, int64_t> &,
                    const std::string &, uint64_t, const std::string &,
                    const std::string &, const std::string &,
                    const std::string &, int64_t, bool, bool, double,
                    const std::string &, const std::map<std::string, int64_t> &,
                    int64_t, nb::object, nb::callable>(),
           nb::arg("model"), nb::arg("library"), nb::arg("recipe"),
           nb::arg("recipe_name"), nb::arg("backend"),
           nb::arg("instruction_set"), nb::arg("threads"), nb::arg("device"),
           nb::arg("device_memory"), nb::arg("dims"), nb::arg("cache"),
           nb::arg("memory_budget"), nb::arg("parameters"), nb::arg("folder"),
           nb::arg("start"), nb::arg("checkpoint_every"), nb::arg("keep"),
           nb::arg("stop_on_nan"), nb::arg("joins_ranks"),
           nb::arg("rank_timeout"), nb::arg("shard"), nb::arg("parallel"),
           nb::arg("check_every"), nb::arg("observer"), nb::arg("finish"),
           nb::sig("def __init__(self, **options: typing.Any) -> None"))
      .def("inputs", &Training::inputs,
           nb::sig("def inputs(self) -> list[tuple[str, str, tuple[int | str | "
                   "None, ...]]]"))
      .def("fit", &Training::fit, nb::arg("data"), nb::arg("eval_data").none(),
           nb::arg("epochs"), nb::arg("max_steps"),
           nb::sig("def fit(self, data: typing.Any, eval_data: typing.Any, "
                   "epochs: int, max_steps: int) -> " RECORD))
      .def("stop", [](Training &training) { training.run().stop(); })
      .def("step", &Training::step, nb::arg("tensors"),
           nb::sig("def step(self, tensors: " TENSORS ") -> " RECORD))
      .def("evaluate", &Training::evaluate, nb::arg("data"),
           nb::sig("def evaluate(self, data: typing.Any) -> " RECORD))
      .def("state", &Training::state,
           nb::sig("def state(self) -> tuple[" RECORD ", " RECORD ", str]"))
      .def("model", &Training::modelTensors,
           nb::sig("def model(self) -> " RECORD))
      .def("set_state", &Training::setState, nb::arg("model"),
           nb::arg("optimizer"), nb::arg("position"), nb::arg("where"),
           nb::sig("def set_state(self, model: " TENSORS ", optimizer: " TENSORS
                   ", position: str, where: str) -> None"))
      .def("save", withPath<&runtime::Training::save>, nb::arg("folder"))
      .def("load", withPath<&runtime::Training::load>, nb::arg("folder"))
      .def("steps", unlocked<&runtime::Training::steps>)
      .def("epochs", unlocked<&runtime::Training::epochs>)
      .def("digest", unlocked<&runtime::Training::digest>)
      .def("program_digest", unlocked<&runtime::Training::programDigest>)
      .def("target", unlocked<&runtime::Training::target>);
}

} // namespace gensyn::python
