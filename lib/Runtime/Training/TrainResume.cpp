// Saves the state of a run and resumes from it.

#include "Trainer.h"
#include "gensyn/Executable/Support/Error.h"

namespace gensyn::runtime {

void Trainer::save() {
  // Its parameters are those of the first rank.
  if ((savedStep == progress.step && folder) || !isFirst())
    return;
  // A failure of this rank alone: the others cannot give what they have.
  if (divided && !cut.empty())
    return;
  requireFiniteParameters();
  if (!folder)
    return;
  savedIn = folder->writeCheckpoint(progress.step, store, describeNow(),
                                    options.keep);
  savedStep = progress.step;
  savedAt = std::chrono::steady_clock::now();
}

OrderedJson Trainer::describeNow() const {
  OrderedJson state = describeState(facts, progress, store.digest());
  state["monitors"] = monitors.state();
  return state;
}

Checkpoint Trainer::state() {
  if (given)
    return given->checkpoint;
  if (!begun)
    throw Failure(ExitCode::Usage, "there is no state before the first step");
  return {store.model(), store.optimizer(), describeNow()};
}

void Trainer::setState(Checkpoint state, const std::string &where) {
  Saved saved = {std::move(state), {}, "", where};
  saved.progress = readProgress(saved.checkpoint.state, where);
  if (begun) {
    restore(saved);
    return;
  }
  progress = saved.progress;
  given = std::move(saved);
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

std::optional<Trainer::Saved> Trainer::findSaved() {
  return options.ranks ? shareSaved(findOwnSaved()) : findOwnSaved();
}

std::optional<Trainer::Saved> Trainer::findOwnSaved() {
  if (given || !folder || options.start != RunStart::Resume)
    return given;
  const auto all = folder->checkpoints();
  for (const auto &[step, place] : all) {
    Saved saved;
    saved.place = place;
    saved.where = place.string();
    try {
      saved.checkpoint = readCheckpoint(place);
      saved.progress = readProgress(saved.checkpoint.state, saved.where);
      if (saved.progress.step != step)
        failBadInput(saved.where + ": is a checkpoint of step " +
                     std::to_string(saved.progress.step));
      return saved;
    } catch (const Failure &failure) {
      if (failure.code != ExitCode::BadInput &&
          failure.code != ExitCode::InputOutput)
        throw;
      observer.warn("a checkpoint is refused: " + std::string(failure.what()));
    }
  }
  if (!all.empty())
    failBadInput(folder->path().string() +
                     ": none of its checkpoints is whole, so the run cannot "
                     "go on",
                 "--overwrite instead of --resume begins it again");
  observer.warn(folder->path().string() +
                ": there is no checkpoint yet; the run starts at the "
                "beginning");
  return std::nullopt;
}

void Trainer::restore(const Saved &saved) {
  const Checkpoint &checkpoint = saved.checkpoint;
  const bool isOfFolder = !saved.place.empty();
  if (isOfFolder) {
    requireSameRun(checkpoint.state, facts, saved.where,
                   options.recipeFile.string(), data.name);
    if (saved.progress.stepsPerEpoch && data.steps &&
        saved.progress.stepsPerEpoch != data.steps)
      failBadInput(saved.where + ": an epoch has other steps than now");
  }
  store.restore(checkpoint.model, checkpoint.optimizer, saved.where);
  monitors.restore(checkpoint.state.value("monitors", nlohmann::json()));
  progress = saved.progress;
  digest = store.digest();
  given.reset();
  if (!isOfFolder) {
    if (folder && !begun)
      folder->start();
    // The identity of the data of an epoch in progress.
    facts.dataIdentity = checkpoint.state.value("data", std::string());
    return;
  }
  savedIn = saved.place;
  savedStep = resumedStep = progress.step;
  if (!folder)
    return; // not the first rank
  folder->resume(progress.step, progress.epochComplete,
                 [&](const nlohmann::json &row) { readRow(row); });
  // A run that was killed may have left more checkpoints than it keeps.
  folder->removeOldCheckpoints(progress.step, options.keep);
  if (int64_t(curve.loss.size()) < progress.step && progress.step < 100'000)
    observer.warn("log.jsonl lacks steps before step " +
                  std::to_string(progress.step));
}

void Trainer::goBack() {
  for (const auto &[step, place] : folder->checkpoints()) {
    if (savedStep == 0 || step > savedStep)
      continue;
    Checkpoint checkpoint = readCheckpoint(place);
    progress = readProgress(checkpoint.state, place.string());
    store.restore(checkpoint.model, checkpoint.optimizer, place.string());
    monitors.restore(checkpoint.state.value("monitors", nlohmann::json()));
    return;
  }
  const Signature &signature = batches->program().signature();
  ParameterStore fresh;
  fresh.adopt(signature);
  for (const Port &port : signature.inputs)
    if (isKept(port) && port.role != Role::Constant)
      store.value(port.name) = Value(fresh.at(port.name));
  setInitialValues();
  monitors.restore(nullptr);
  Progress beginning;
  beginning.stepsPerEpoch = progress.stepsPerEpoch;
  progress = beginning;
}

} // namespace gensyn::runtime
