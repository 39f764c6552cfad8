// Epochs, batches, steps, and what is written down about them.

#include "gensyn/Runtime/Train.h"

#include "Evaluate.h"
#include "RunFolder.h"
#include "gensyn/Runtime/DataSet.h"
#include "gensyn/Runtime/Error.h"
#include "gensyn/Runtime/LearningCurve.h"
#include "gensyn/Runtime/Session.h"
#include "gensyn/Runtime/Shuffle.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace gensyn::runtime {

namespace {

using Clock = std::chrono::steady_clock;

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

} // namespace

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Halves the points of a run that is long enough for nobody to see it: a
/// picture needs hundreds of them.
static void thinCurve(std::vector<CurvePoint> &points) {
  if (points.size() < 200'000)
    return;
  size_t kept = 0;
  for (size_t i = 0; i < points.size(); i += 2)
    points[kept++] = points[i];
  points.resize(kept);
}

void Trainer::makePrograms() {
  if (!recipe.optimizer)
    failBadInput(options.recipeFile.string() + ": no 'optimizer'");
  if (!options.evalData.empty())
    evalData.emplace(options.evalData);
  for (const DataSet *set : {&data, evalData ? &*evalData : nullptr})
    if (set && options.classes)
      checkClasses(set->file(), recipe.loss.target, options.classes,
                   recipe.loss.ignoreIndex);
  int64_t wanted = std::min(recipe.batchSize, data.samples());
  full = std::make_unique<Session>(source("train", wanted), store);
  checkTensors(data.file(), full->signature(), /*anyBatch=*/true);
  batch = full->batchSize();
  std::string samples = std::to_string(data.samples()) + " samples";
  if (batch <= 0)
    failBadInput(options.model.string() + ": no batch dimension to train over");
  if (wanted && batch != wanted)
    failBadInput(
        options.model.string() + ": the batch is fixed at " +
            std::to_string(batch) + "; " +
            (wanted == recipe.batchSize
                 ? "the recipe's batch_size is " + std::to_string(wanted)
                 : options.data.string() + " has " + samples),
        "export the model with a dynamic first dimension");
  if (batch > data.samples() ||
      (recipe.dropLast && recipe.batchSize > data.samples()))
    failBadInput(options.data.string() + ": " + samples +
                 " do not fill a batch of " +
                 std::to_string(std::max(batch, recipe.batchSize)));
  if (int64_t left = data.samples() % batch; left && !recipe.dropLast)
    makeRest(batch, left);
  if (evalData)
    evaluator.emplace(*evalData, recipe, batch, source, store, observer);
}

/// Exporters write a model's scalar constants as initializers too, and what the
/// recipe does not freeze is trained.
void Trainer::warnOfScalars() {
  std::vector<std::string> names;
  for (const Port &port : full->signature().inputs)
    if (port.role == Role::Parameter && port.shape.empty())
      names.push_back(quote(port.name));
  if (names.empty())
    return;
  std::string which = names.front();
  if (names.size() > 1)
    which += " and " + std::to_string(names.size() - 1) + " more";
  observer.warn("the scalar initializer " + which +
                " will be trained; list it in the recipe's \"frozen\" if it is "
                "a constant of the model");
}

void Trainer::makeRest(int64_t wanted, int64_t left) {
  rest = std::make_unique<Session>(source("train", left), store);
  if (rest->batchSize() != left)
    failBadInput(options.data.string() + ": " + std::to_string(data.samples()) +
                     " samples leave a batch of " + std::to_string(left) +
                     ", and the model's batch is fixed at " +
                     std::to_string(wanted),
                 "set \"drop_last\": true in the recipe, or export the model "
                 "with a dynamic first dimension");
}

TrainSummary Trainer::summary() const {
  TrainSummary facts;
  facts.programDigest = full->executable().program_digest();
  facts.numericsVersion = full->executable().numerics_version();
  facts.initialDigest = store.digest();
  facts.parameters = store.parameterCount();
  facts.samples = data.samples();
  facts.evalSamples = evaluator ? evaluator->samples() : 0;
  facts.batchSize = batch;
  facts.stepsPerEpoch = data.samples() / batch + (rest ? 1 : 0);
  facts.epochs = recipe.epochs;
  facts.steps = facts.stepsPerEpoch * recipe.epochs;
  if (options.maxSteps)
    facts.steps = std::min(facts.steps, options.maxSteps);
  return facts;
}

void Trainer::writeProgram() {
  TrainSummary facts = summary();
  OrderedJson json = {{"program_digest", facts.programDigest},
                      {"numerics_version", facts.numericsVersion},
                      {"initial_parameters", facts.initialDigest},
                      {"model", options.model.string()},
                      {"recipe", options.recipeFile.string()},
                      {"loss", describe(recipe.loss)},
                      {"optimizer", describe(*recipe.optimizer)},
                      {"batch_size", batch},
                      {"parameters", facts.parameters},
                      {"backend", options.backend},
                      {"target", options.target}};
  if (rest)
    json["last_batch_program_digest"] = rest->executable().program_digest();
  folder.writeJson("program.json", json);
}

void Trainer::stage(const Batch &batch, int64_t step) {
  StepInputs inputs;
  inputs.tensors = data.batch(batch.session->signature(), batch.indices);
  inputs.step = step;
  inputs.seed = recipe.seed;
  batch.session->stage(inputs);
}

/// Runs a step on what was staged, and stages the next one meanwhile.
void Trainer::runStep(const Batch &batch, const Batch *next) {
  auto start = Clock::now();
  Session &session = *batch.session;
  session.begin();
  if (next)
    stage(*next, steps + 1);
  session.end();
  StepRecord record;
  record.step = ++steps;
  record.epoch = epoch;
  record.loss = session.loss();
  record.lr = recipe.optimizer->lr;
  record.seconds = secondsSince(start);
  if (!std::isfinite(record.loss) && !warned) {
    warned = true;
    observer.warn("the loss of step " + std::to_string(steps) +
                  " is not finite");
  }
  folder.log({{"step", record.step},
              {"epoch", record.epoch},
              {"loss", record.loss},
              {"lr", record.lr},
              {"seconds", record.seconds}});
  epochLoss += record.loss;
  curve.loss.push_back({double(steps), record.loss});
  thinCurve(curve.loss);
  observer.step(record);
}

bool Trainer::runEpoch() {
  ++epoch;
  epochLoss = 0;
  auto start = Clock::now();
  std::vector<int64_t> order;
  if (recipe.shuffle) {
    order = permutation(data.samples(), recipe.seed, uint64_t(epoch));
  } else {
    order.resize(size_t(data.samples()));
    std::iota(order.begin(), order.end(), 0);
  }
  std::span<const int64_t> all(order);
  std::vector<Batch> batches;
  for (int64_t begin = 0; begin + batch <= data.samples(); begin += batch)
    batches.push_back({full.get(), all.subspan(size_t(begin), size_t(batch))});
  if (rest)
    batches.push_back(
        {rest.get(), all.subspan(batches.size() * size_t(batch))});
  const int64_t first = steps;
  size_t done = 0;
  if (!ended() && !batches.empty())
    stage(batches[0], steps);
  for (; done < batches.size() && !ended(); ++done)
    runStep(batches[done],
            done + 1 < batches.size() ? &batches[done + 1] : nullptr);
  EpochRecord record;
  record.epoch = epoch;
  record.step = steps;
  record.complete = done == batches.size();
  record.loss = steps > first ? epochLoss / double(steps - first) : 0;
  record.seconds = secondsSince(start);
  if (steps > first)
    finishEpoch(record);
  return !ended();
}

void Trainer::finishEpoch(EpochRecord &record) {
  if (evaluator && record.complete) {
    record.eval = evaluator->run();
    OrderedJson row = {{"step", steps},
                       {"epoch", epoch},
                       {"eval_loss", record.eval->loss},
                       {"eval_samples", record.eval->samples},
                       {"seconds", record.eval->seconds}};
    curve.evalLoss.push_back({double(steps), record.eval->loss});
    if (record.eval->accuracy) {
      row["eval_accuracy"] = *record.eval->accuracy;
      curve.accuracy.push_back({double(steps), *record.eval->accuracy});
    }
    folder.log(row);
  }
  digest = record.digest = store.digest();
  folder.log({{"step", steps}, {"epoch", epoch}, {"parameters", digest}});
  folder.writeCheckpoint(
      steps, store,
      {{"step", steps},
       {"epoch", epoch},
       {"epoch_complete", record.complete},
       {"seed", recipe.seed},
       {"parameters", digest},
       {"program_digest", full->executable().program_digest()},
       {"numerics_version", full->executable().numerics_version()}});
  folder.writeCurve(drawCurve(curve));
  observer.epoch(record);
}

TrainResult Trainer::run() {
  makePrograms();
  folder.start();
  writeProgram();
  curve.title =
      options.model.filename().string() + ", " + describe(*recipe.optimizer);
  digest = store.digest();
  observer.begin(summary());
  warnOfScalars();
  while (epoch < recipe.epochs && runEpoch()) {
  }
  folder.writeParameters(store);
  folder.writeCurve(drawCurve(curve));
  return {steps, stop.load(), digest};
}

TrainResult train(const TrainOptions &options, const ProgramSource &source,
                  TrainObserver &observer, const std::atomic<bool> &stop) {
  return Trainer(options, source, observer, stop).run();
}

} // namespace gensyn::runtime
