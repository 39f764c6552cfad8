// Epochs, batches, steps, and what is written down about them.

#include "gensyn/Runtime/Train.h"

#include "Trainer.h"
#include "gensyn/Runtime/Error.h"
#include "gensyn/Runtime/Shuffle.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace gensyn::runtime {

using Clock = std::chrono::steady_clock;

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
