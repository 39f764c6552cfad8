// The training loop: epochs, batches, steps, and their log.

#include "gensyn/Runtime/Training/Train.h"

#include "Trainer.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Data/Shuffle.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace gensyn::runtime {

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Halves the number of points of a long run; the plot shows at most hundreds
/// of them.
static void thinCurve(std::vector<CurvePoint> &points) {
  if (points.size() < 200'000)
    return;
  size_t kept = 0;
  for (size_t i = 0; i < points.size(); i += 2)
    points[kept++] = points[i];
  points.resize(kept);
}

void Trainer::addToCurve(std::vector<CurvePoint> &points, int64_t step,
                         double value) {
  points.push_back({double(step), value});
  thinCurve(points);
}

std::vector<int64_t> Trainer::orderOf(int64_t epoch) const {
  if (recipe.shuffle)
    return permutation(data.samples(), recipe.seed, uint64_t(epoch));
  std::vector<int64_t> order(static_cast<size_t>(data.samples()));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<Batch> Trainer::batchesOf(std::span<const int64_t> order) const {
  std::vector<Batch> batches;
  for (int64_t begin = 0; begin + batch <= data.samples(); begin += batch)
    batches.push_back(
        {full.get(), order.subspan(size_t(begin), size_t(batch))});
  size_t done = batches.size() * size_t(batch);
  for (const std::unique_ptr<Session> &rest : rests) {
    const auto samples = size_t(rest->batchSize());
    batches.push_back({rest.get(), order.subspan(done, samples)});
    done += samples;
  }
  return batches;
}

void Trainer::stage(const Batch &batch, int64_t step) {
  batch.session->stage(inputsOf(batch, step));
}

StepInputs Trainer::inputsOf(const Batch &batch, int64_t step) const {
  StepInputs inputs;
  inputs.tensors = data.batch(batch.session->signature(), batch.indices);
  inputs.step = step;
  inputs.seed = recipe.seed;
  return inputs;
}

void Trainer::countStep(double loss) {
  ++progress.step;
  ++progress.stepInEpoch;
  progress.epochLoss += loss;
}

void Trainer::beginEpoch() {
  ++progress.epoch;
  progress.stepInEpoch = 0;
  progress.epochLoss = 0;
}

/// Runs a step on the staged inputs, and stages the next inputs meanwhile.
void Trainer::runStep(const Batch &batch, const Batch *next) {
  auto start = Clock::now();
  Session &session = *batch.session;
  session.begin();
  if (next)
    stage(*next, progress.step + 1);
  session.end();
  countStep(session.loss());
  StepRecord record;
  record.step = progress.step;
  record.epoch = progress.epoch;
  record.samples = int64_t(batch.indices.size());
  record.loss = session.loss();
  record.lr = recipe.optimizer->lr;
  OrderedJson row = {
      {"step", record.step}, {"epoch", record.epoch}, {"loss", record.loss}};
  for (const auto &[name, value] : session.metrics()) {
    row[name] = value;
    record.metrics.emplace_back(name, value);
    if (name == "lr")
      record.lr = value;
  }
  lastRate = record.lr;
  row["seconds"] = record.seconds = secondsSince(start);
  const double rate = double(record.samples) / record.seconds;
  row["samples_per_second"] = rate;
  if (data.tokensPerSample())
    row["tokens_per_second"] = rate * double(data.tokensPerSample());
  folder.log(row);
  addToCurve(curve.loss, record.step, record.loss);
  observer.step(record);
  requireFiniteLoss(record.loss);
}

/// Runs from the current position in the epoch to its end, or to that of the
/// run.
void Trainer::runEpoch() {
  if (progress.epoch == 0 || progress.epochComplete())
    beginEpoch();
  epochStart = Clock::now();
  const std::vector<int64_t> order = orderOf(progress.epoch);
  const std::vector<Batch> batches = batchesOf(order);
  auto next = size_t(progress.stepInEpoch);
  stage(batches[next], progress.step);
  while (next < batches.size() && !ended()) {
    const Batch &batch = batches[next++];
    runStep(batch, next < batches.size() ? &batches[next] : nullptr);
    if (next < batches.size() && !ended() && isCheckpointDue())
      save();
  }
  if (progress.epochComplete())
    evaluate();
  if (progress.epochComplete() || ended())
    finishEpoch();
}

/// True if the interval ends with the last step. Which steps have checkpoints
/// does not change bits, so wall-clock time may decide it.
bool Trainer::isCheckpointDue() const {
  const CheckpointInterval &every = options.checkpointEvery;
  const auto count = static_cast<int64_t>(every.count);
  switch (every.unit) {
  case CheckpointInterval::Unit::Epochs:
    return progress.epochComplete() && progress.epoch % count == 0;
  case CheckpointInterval::Unit::Steps:
    return progress.step % count == 0;
  case CheckpointInterval::Unit::Seconds:
    return secondsSince(savedAt) >= every.count;
  }
  return true;
}

void Trainer::evaluate() {
  evaluated.reset();
  if (!evaluator)
    return;
  evaluated = evaluator->run();
  OrderedJson row = {{"step", progress.step},
                     {"epoch", progress.epoch},
                     {"eval_loss", evaluated->loss},
                     {"eval_samples", evaluated->samples}};
  for (const auto &[name, value] : evaluated->figures())
    row[name] = value;
  addToCurve(curve.evalLoss, progress.step, evaluated->loss);
  if (evaluated->accuracy)
    addToCurve(curve.accuracy, progress.step, *evaluated->accuracy);
  row["seconds"] = evaluated->seconds;
  folder.log(row);
}

static constexpr const char *kPlateauFactor = "schedule.factor";

bool Trainer::watch(double meanLoss) {
  if (monitors.metrics().empty())
    return false;
  std::map<std::string, double> figures = {{"loss", meanLoss}};
  if (evaluated)
    for (const auto &[name, value] : evaluated->figures())
      figures[name] = value;
  const Monitors::Verdict verdict = monitors.offer(figures, lastRate);
  if (verdict.isBest)
    folder.writeBest(store);
  if (verdict.isLowered)
    store.value(kPlateauFactor) = Value(Tensor::scalar(monitors.factor()));
  return verdict.isLowered;
}

/// Finishes an epoch, or the completed part of one.
void Trainer::finishEpoch() {
  EpochRecord record;
  record.epoch = progress.epoch;
  record.step = progress.step;
  record.complete = progress.epochComplete();
  record.loss = progress.stepInEpoch
                    ? progress.epochLoss / double(progress.stepInEpoch)
                    : 0;
  record.seconds = secondsSince(epochStart);
  if (record.complete)
    record.eval = evaluated;
  logParameters();
  record.digest = digest;
  const bool isLowered = record.complete && watch(record.loss);
  // Steps that goBack() repeats do not call the monitors, so a reduced step
  // size is saved at once.
  if (ended() || isLowered || isCheckpointDue())
    save();
  folder.writeCurve(drawCurve(curve));
  observer.epoch(record);
}

void Trainer::logParameters() {
  digest = store.digest();
  folder.log({{"step", progress.step},
              {"epoch", progress.epoch},
              {"parameters", digest}});
}

TrainResult Trainer::run() {
  makePrograms();
  setInitialValues();
  TrainResult result;
  curve.title =
      options.model.filename().string() + ", " + describe(*recipe.optimizer);
  digest = initialDigest = store.digest();
  facts = makeFacts();
  rememberInfinities();
  if (options.start != RunStart::Resume || !resume())
    folder.start();
  savedAt = Clock::now();
  writeProgram();
  result.wasFinished = resumedStep > 0 && isFinished();
  observer.begin(summary());
  warnOfScalars();
  while (!ended())
    runEpoch();
  // The log line of an incomplete epoch was removed on resume.
  if (result.wasFinished && !progress.epochComplete())
    logParameters();
  folder.writeParameters(store);
  folder.writeCurve(drawCurve(curve));
  result.steps = progress.step;
  result.interrupted = stop.load() && !isFinished();
  result.stoppedEarly = monitors.stops();
  if (monitors.hasBest())
    result.best = folder.path() / kBestFile;
  result.digest = digest;
  return result;
}

TrainResult train(const TrainOptions &options, const ProgramSource &source,
                  TrainObserver &observer, const std::atomic<bool> &stop) {
  return Trainer(options, source, observer, stop).run();
}

} // namespace gensyn::runtime
