// The training loop: epochs, batches, steps, and their log.

#include "gensyn/Runtime/Training/Train.h"

#include "Trainer.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Data/DataSet.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <utility>

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

void Trainer::log(const OrderedJson &row) {
  if (folder)
    folder->log(row);
}

void Trainer::stage(const Batch &batch, int64_t step) {
  batch.session->stage(inputsOf(batch, step));
}

StepInputs Trainer::inputsOf(const Batch &batch, int64_t step) const {
  StepInputs inputs;
  inputs.tensors = batch.tensors;
  inputs.step = step;
  inputs.seed = recipe.seed;
  return inputs;
}

void Trainer::countStep(double loss) {
  ++progress.step;
  ++progress.stepInEpoch;
  progress.epochLoss += loss;
}

// Sets states of the program (schedule_r11, schedule_r12).
void Trainer::beginEpoch() {
  if (store.has(kEpochState))
    store.value(kEpochState) = Value(Tensor::scalar(progress.epoch));
  ++progress.epoch;
  progress.stepInEpoch = 0;
  progress.epochComplete = false;
  progress.epochLoss = 0;
}

void Trainer::seek() {
  const bool isNew = progress.epoch == 0 || progress.epochComplete;
  batches->seek(progress.epoch + isNew, isNew ? 0 : progress.stepInEpoch);
}

/// True if the next step, whose inputs are staged, may begin before this one is
/// recorded: nobody needs the state between them, which it overwrites.
bool Trainer::mayRunAhead(const Batch &batch, const Batch &next) const {
  return runsAhead && next.session == batch.session &&
         batch.session->mayRunAhead() && !isStopped() &&
         !isCheckpointDue(progress.step + 1) &&
         !(options.witness && options.witness->wantsState(progress.step + 1));
}

/// Ends a step that began before the failure of the one before it. The state is
/// that after both, so it is counted, but not recorded.
void Trainer::endAhead(bool counts) {
  const std::shared_ptr<Session> session = std::exchange(ahead, nullptr);
  if (!session)
    return;
  try {
    session->end();
    if (!counts)
      return;
    countStep(session->loss());
    progress.epochComplete = progress.stepInEpoch == data.steps;
  } catch (const Failure &) {
    // That of the step before is reported.
  }
}

/// Runs a step on the staged inputs, unless it has begun; meanwhile the next
/// batch is made and staged, and its step may begin. If that fails, the step is
/// counted first.
StepRecord Trainer::runStep(const Batch &batch, std::optional<Batch> &next,
                            bool wantsNext) {
  const auto start = Clock::now();
  Session &session = *batch.session;
  if (!std::exchange(ahead, nullptr)) {
    tensors.forget();
    session.begin();
  }
  std::exception_ptr failure;
  try {
    next = wantsNext ? batches->next() : std::nullopt;
    if (next) {
      stage(*next, progress.step + 1);
      if (mayRunAhead(batch, *next)) {
        session.begin();
        ahead = next->session;
      }
    }
  } catch (...) {
    failure = std::current_exception();
    next.reset();
  }
  bool isCounted = false;
  try {
    session.end();
    programDigest = session.executable().program_digest();
    countStep(session.loss());
    isCounted = true;
    agreeToStop();
    compareRanks();
    progress.epochComplete =
        wantsNext && !failure ? !next : progress.stepInEpoch == data.steps;
    StepRecord record = recordStep(batch, start);
    if (failure)
      std::rethrow_exception(failure);
    return record;
  } catch (...) {
    endAhead(isCounted);
    throw;
  }
}

StepRecord Trainer::recordStep(const Batch &batch, Clock::time_point start) {
  const Session &session = *batch.session;
  StepRecord record;
  record.step = progress.step;
  record.epoch = progress.epoch;
  record.samples = batch.samples;
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
  if (data.tokensPerSample)
    row["tokens_per_second"] = rate * double(data.tokensPerSample);
  log(row);
  tellStep(batch);
  addToCurve(curve.loss, record.step, record.loss);
  observer.step(record);
  requireFiniteLoss(record.loss, batch);
  return record;
}

/// Runs from the current position in the epoch to its end, or to that of the
/// run.
void Trainer::runEpoch() {
  if (progress.epoch == 0 || progress.epochComplete)
    beginEpoch();
  epochStart = Clock::now();
  seek();
  std::optional<Batch> current = batches->next();
  if (current)
    stage(*current, progress.step);
  else
    progress.epochComplete = true; // it ended with the last call's last step
  while (current && (ahead || !ended())) {
    std::optional<Batch> next;
    runStep(*current, next, progress.step + 1 < lastStep);
    current = std::move(next);
    // The end of an epoch changes state; finishEpoch() tells and saves it.
    if (!current || ahead || ended())
      continue;
    if (options.witness && options.witness->wantsState(progress.step))
      tellState();
    if (isCheckpointDue(progress.step))
      save();
  }
  if (progress.epochComplete)
    evaluateEpoch();
  if (progress.epochComplete || ended())
    finishEpoch();
}

/// True if the interval ends with a step, the last one or that in progress.
/// Which steps have checkpoints does not change bits, so wall-clock time may
/// decide it.
bool Trainer::isCheckpointDue(int64_t step) const {
  const CheckpointInterval &every = options.checkpointEvery;
  const auto count = static_cast<int64_t>(every.count);
  switch (every.unit) {
  case CheckpointInterval::Unit::Epochs:
    return progress.epochComplete && progress.epoch % count == 0;
  case CheckpointInterval::Unit::Steps:
    return step % count == 0;
  case CheckpointInterval::Unit::Seconds:
    return options.ranks ? savesTogether : secondsSince(savedAt) >= every.count;
  }
  return true;
}

bool Trainer::watch(double meanLoss) {
  if (monitors.metrics().empty())
    return false;
  std::map<std::string, double> figures = {{"loss", meanLoss}};
  if (evaluated)
    for (const auto &[name, value] : evaluated->figures())
      figures[name] = value;
  const Monitors::Verdict verdict = monitors.offer(figures, lastRate);
  if (verdict.isBest) {
    const ParameterStore::Names averaged = store.averagedNames();
    writeTensors(options.folder / kBestFile,
                 averaged.empty() ? store.modelNames() : averaged);
  }
  if (verdict.isLowered)
    store.value(kPlateauState) = Value(Tensor::scalar(monitors.factor()));
  return verdict.isLowered;
}

/// Finishes an epoch, or the completed part of one.
void Trainer::finishEpoch() {
  EpochRecord record;
  record.epoch = progress.epoch;
  record.step = progress.step;
  record.complete = progress.epochComplete;
  record.loss = progress.stepInEpoch
                    ? progress.epochLoss / double(progress.stepInEpoch)
                    : 0;
  record.seconds = secondsSince(epochStart);
  if (record.complete)
    record.eval = evaluated;
  logParameters();
  record.digest = digest;
  const bool isLowered = record.complete && watch(record.loss);
  if (options.witness && options.witness->wantsState(progress.step))
    tellState();
  // Steps that goBack() repeats do not call the monitors, so a reduced step
  // size is saved at once.
  if (ended() || isLowered || isCheckpointDue(progress.step))
    save(digest);
  if (folder)
    folder->writeCurve(drawCurve(curve));
  observer.epoch(record);
}

void Trainer::logParameters() {
  digest = digestParameters();
  log({{"step", progress.step},
       {"epoch", progress.epoch},
       {"parameters", digest}});
}

void Trainer::writeResults() {
  writeTensors(options.folder / "parameters.safetensors", store.modelNames());
  if (const ParameterStore::Names averaged = store.averagedNames();
      !averaged.empty())
    writeTensors(options.folder / "ema.safetensors", averaged);
  if (folder)
    folder->writeCurve(drawCurve(curve));
}

std::optional<Trainer::Saved> Trainer::prepare(FitData trainData,
                                               FitData toEvaluate) {
  requireOptimizer();
  requireMicrobatches();
  limitClasses(trainData);
  limitClasses(toEvaluate);
  std::optional<Saved> saved;
  if (!begun && (saved = findSaved()))
    progress = saved->progress;
  batches = makeBatches(trainData);
  seek();
  data = batches->facts();
  numericsVersion = batches->program().executable().numerics_version();
  evaluator.reset();
  evalData = toEvaluate;
  requireSameEvaluation(evalData);
  if (evalData && (isFirst() || !evaluatesAlone(evalData)))
    evaluator.emplace(makeEvaluation(evalData), recipe);
  requireFigures();
  start(saved ? &*saved : nullptr);
  requireSameData();
  return saved;
}

TrainResult Trainer::fit(FitData trainData, FitData toEvaluate, int64_t epochs,
                         int64_t maxSteps) {
  std::optional<Saved> saved = prepare(trainData, toEvaluate);
  limitSteps(epochs, maxSteps);
  writeProgram();
  TrainResult result;
  result.wasFinished = progress.step > 0 && isFinished();
  observer.begin(summary());
  warnOfScalars();
  runsAhead = !options.ranks && !observer.watchesSteps();
  try {
    while (!ended())
      runEpoch();
  } catch (const Failure &) {
    throw; // of the run itself, which has saved what it could
  } catch (...) {
    // Of the data or a callback of this rank; the run can go on. The others
    // cannot give what they have, nor help.
    tensors.shareFiles({});
    if (!tensors.hasDivided())
      save();
    throw;
  }
  // The log line of an incomplete epoch was removed on resume.
  if (result.wasFinished && saved && !progress.epochComplete)
    logParameters();
  writeResults();
  result.steps = progress.step;
  result.interrupted = isStopped() && !isFinished();
  result.stoppedEarly = monitors.stops();
  if (monitors.hasBest() && folder)
    result.best = folder->path() / kBestFile;
  result.digest = digest;
  return result;
}

StepRecord Trainer::step(TensorMap tensors) {
  requireOptimizer();
  std::optional<Saved> saved;
  if (!begun && (saved = findSaved()))
    progress = saved->progress;
  const Batch batch =
      makeBatch(std::move(tensors), rulesOf("the batch: "), trainPrograms);
  batches.reset();
  data = BatchFacts();
  numericsVersion = batch.session->executable().numerics_version();
  start(saved ? &*saved : nullptr);
  stage(batch, progress.step);
  // Outside of epochs only the number of steps grows.
  progress.stepsPerEpoch = 0;
  const Progress before = progress;
  auto leaveEpoch = [&] {
    const int64_t steps = progress.step;
    progress = before;
    progress.step = steps;
  };
  try {
    std::optional<Batch> none;
    StepRecord record = runStep(batch, none, /*wantsNext=*/false);
    leaveEpoch();
    return record;
  } catch (...) {
    leaveEpoch();
    throw;
  }
}

TrainResult train(const TrainOptions &options, const ProgramSource &source,
                  TrainObserver &observer, const std::atomic<bool> &stop) {
  Trainer trainer(options, source, observer, stop);
  DataSet data(options.data);
  std::optional<DataSet> evalData;
  if (!options.evalData.empty())
    evalData.emplace(options.evalData);
  return trainer.fit({&data}, {evalData ? &*evalData : nullptr},
                     options.recipe.epochs, options.maxSteps);
}

} // namespace gensyn::runtime
