// Saves the state of a run and resumes from it.

#include "Trainer.h"
#include "gensyn/Executable/Support/Error.h"

namespace gensyn::runtime {

void Trainer::save() {
  if (savedStep == progress.step)
    return;
  requireFiniteParameters();
  OrderedJson state = describeState(facts, progress, store.digest());
  state["monitors"] = monitors.state();
  savedIn = folder.writeCheckpoint(progress.step, store, state, options.keep);
  savedStep = progress.step;
  savedAt = std::chrono::steady_clock::now();
}

/// Each line describes a step, an evaluation or an epoch.
void Trainer::readRow(const nlohmann::json &row) {
  const auto step = row.at("step").get<int64_t>();
  auto add = [&](const char *key, std::vector<CurvePoint> &points) {
    auto found = row.find(key);
    if (found != row.end() && (found->is_number() || found->is_null()))
      addToCurve(points, step,
                 found->is_null() ? std::numeric_limits<double>::quiet_NaN()
                                  : found->get<double>());
  };
  add("loss", curve.loss);
  add("eval_loss", curve.evalLoss);
  add("eval_accuracy", curve.accuracy);
}

bool Trainer::resume() {
  const auto all = folder.checkpoints();
  for (const auto &[step, place] : all) {
    Checkpoint checkpoint;
    Progress found;
    try {
      checkpoint = readCheckpoint(place);
      found = readProgress(checkpoint.state, place.string());
      if (found.step != step)
        failBadInput(place.string() + ": is a checkpoint of step " +
                     std::to_string(found.step));
    } catch (const Failure &failure) {
      if (failure.code != ExitCode::BadInput &&
          failure.code != ExitCode::InputOutput)
        throw;
      observer.warn("a checkpoint is refused: " + std::string(failure.what()));
      continue;
    }
    requireSameRun(checkpoint.state, facts, place.string(),
                   options.recipeFile.string(), options.data.string());
    if (found.stepsPerEpoch != progress.stepsPerEpoch)
      failBadInput(place.string() + ": an epoch has other steps than now");
    store.restore(checkpoint.model, checkpoint.optimizer, place.string());
    monitors.restore(checkpoint.state.value("monitors", nlohmann::json()));
    progress = found;
    digest = store.digest();
    savedIn = place;
    savedStep = resumedStep = step;
    folder.resume(step, progress.epochComplete(),
                  [&](const nlohmann::json &row) { readRow(row); });
    // A run that was killed may have left more checkpoints than it keeps.
    folder.removeOldCheckpoints(step, options.keep);
    if (int64_t(curve.loss.size()) < step && step < 100'000)
      observer.warn("log.jsonl lacks steps before step " +
                    std::to_string(step));
    return true;
  }
  if (!all.empty())
    failBadInput(folder.path().string() +
                     ": none of its checkpoints is whole, so the run cannot "
                     "go on",
                 "--overwrite instead of --resume begins it again");
  observer.warn(folder.path().string() +
                ": there is no checkpoint yet; the run starts at the "
                "beginning");
  return false;
}

void Trainer::goBack() {
  for (const auto &[step, place] : folder.checkpoints()) {
    if (savedStep == 0 || step > savedStep)
      continue;
    Checkpoint checkpoint = readCheckpoint(place);
    progress = readProgress(checkpoint.state, place.string());
    store.restore(checkpoint.model, checkpoint.optimizer, place.string());
    monitors.restore(checkpoint.state.value("monitors", nlohmann::json()));
    return;
  }
  ParameterStore fresh;
  fresh.adopt(full->signature());
  for (const Port &port : full->signature().inputs)
    if (isKept(port) && port.role != Role::Constant)
      store.value(port.name) = Value(fresh.at(port.name));
  setInitialValues();
  monitors.restore(nullptr);
  Progress beginning;
  beginning.stepsPerEpoch = progress.stepsPerEpoch;
  progress = beginning;
}

} // namespace gensyn::runtime
