// Saves the state of a run and resumes from it.

#include "SharedFile.h"
#include "SharedFolder.h"
#include "Trainer.h"
#include "gensyn/Executable/Support/Error.h"

#include <cstring>

namespace gensyn::runtime {

void Trainer::save(std::optional<std::string> parameters) {
  if (!isFirst() && !tensors.hasDivided() && !tensors.sharesFiles())
    return;
  const bool isWritten = !options.folder.empty();
  if (savedStep == progress.step && isWritten)
    return;
  requireFiniteParameters();
  if (!isWritten)
    return;
  tellState();
  if (!parameters)
    parameters = digestParameters();
  auto model = [&](const std::filesystem::path &file) {
    return writeTensors(file, store.modelNames(), /*wantsDigest=*/true);
  };
  auto optimizer = [&](const std::filesystem::path &file) {
    return writeTensors(file, store.optimizerNames(), /*wantsDigest=*/true);
  };
  if (folder) {
    savedIn = folder->writeCheckpoint(progress.step, model, optimizer,
                                      describeNow(*parameters), options.keep);
  } else {
    model("");
    optimizer("");
  }
  savedStep = progress.step;
  savedAt = std::chrono::steady_clock::now();
}

std::string Trainer::writeTensors(const std::filesystem::path &file,
                                  const ParameterStore::Names &names,
                                  bool wantsDigest) {
  if (options.folder.empty())
    return "";
  TensorHeaders headers;
  for (const auto &[name, stored] : names) {
    const Value &value = store.value(stored);
    headers.emplace(name, TensorHeader{value.elementType(), value.shape()});
  }
  std::vector<std::string> order;
  for (const std::string &name : orderInSafeTensors(headers))
    order.push_back(names.at(name));
  if (tensors.sharesFiles())
    if (const auto layout = layOutSafeTensors(file, headers);
        !layout.isPacked) {
      SharedFile shared(*options.ranks, options.folder, file,
                        tensors.usesFiles(), layout.header, layout.size);
      if (shared.isShared())
        return writeTogether(shared, layout, names, order, wantsDigest);
    }
  if (!isFirst()) {
    tensors.visit(order, [](const std::string &, const Tensor &) {});
    return "";
  }
  SafeTensorsWriter writer(file, headers);
  tensors.visit(order, [&](const std::string &, const Tensor &tensor) {
    writer.write(tensor);
  });
  writer.commit();
  return "";
}

/// The digest is that of what the ranks have in memory: should a file system
/// mix up what several machines write, that is found when the file is read.
std::string Trainer::writeTogether(SharedFile &file,
                                   const SafeTensorsLayout &layout,
                                   const ParameterStore::Names &names,
                                   const std::vector<std::string> &order,
                                   bool wantsDigest) {
  std::map<std::string, uint64_t> offsets;
  for (const auto &[name, stored] : names)
    offsets.emplace(stored, layout.offsets.at(name));
  tensors.visitRanges(order, [&](const std::string &name, uint64_t offset,
                                 std::span<const std::byte> bytes) {
    file.write(offsets.at(name) + offset, bytes);
  });
  file.commit();
  if (!wantsDigest)
    return "";
  DividedTensors::Stream stream = {{layout.header, ""}};
  for (const std::string &name : order)
    stream.emplace_back("", name);
  return tensors.digest(stream);
}

OrderedJson Trainer::describeNow(const std::string &parameters) const {
  OrderedJson state = describeState(facts, progress, parameters);
  state["monitors"] = monitors.state();
  if (options.witness && isFirst())
    state["commitments"] = options.witness->save();
  return state;
}

TensorMap Trainer::copyWhole(const ParameterStore::Names &names) {
  TensorMap whole;
  for (const auto &[name, stored] : names)
    whole.emplace(name, tensors.copyWhole(stored));
  return whole;
}

/// Throws a Failure (usage) if the store does not have the state after the last
/// step that was recorded.
void Trainer::requireState() const {
  if (!begun)
    throw Failure(ExitCode::Usage, "there is no state before the first step");
  if (ahead)
    throw Failure(ExitCode::Usage,
                  "the state is read while the next step is in progress",
                  "an observer that reads it watches each step");
}

TensorMap Trainer::modelTensors() {
  if (given)
    return given->checkpoint.model;
  requireState();
  return copyWhole(store.modelNames());
}

Checkpoint Trainer::state() {
  if (given)
    return given->checkpoint;
  requireState();
  return {modelTensors(), copyWhole(store.optimizerNames()),
          describeNow(digestParameters())};
}

void Trainer::setState(Checkpoint state, const std::string &where) {
  Saved saved;
  saved.checkpoint = std::move(state);
  saved.where = where;
  saved.model = headersOf(saved.checkpoint.model);
  saved.optimizer = headersOf(saved.checkpoint.optimizer);
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
  if (!options.ranks)
    return findOwnSaved(digestFile);
  const std::vector<bool> sharers = findSharers(*options.ranks, options.folder);
  tensors.shareFiles(sharers);
  SharedDigest digest(*options.ranks, options.folder, sharers);
  std::optional<Saved> saved =
      findOwnSaved([&](const auto &file) { return digest.compute(file); });
  if (isFirst())
    digest.finish();
  else
    digest.help();
  return shareSaved(std::move(saved));
}

std::optional<Trainer::Saved>
Trainer::findOwnSaved(const FileDigest &digestOf) {
  if (given || !folder || options.start != RunStart::Resume)
    return given;
  const auto all = folder->checkpoints();
  for (const auto &[step, place] : all) {
    Saved saved;
    saved.place = place;
    saved.where = place.string();
    try {
      saved.files = std::make_shared<const CheckpointFiles>(
          openCheckpoint(place, digestOf));
      saved.checkpoint.state = saved.files->state;
      saved.model = headersOf(saved.files->model);
      saved.optimizer = headersOf(saved.files->optimizer);
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

/// Sets the tensors and the digest of the parameters.
void Trainer::restoreTensors(Saved &saved) {
  store.requireFitting(saved.model, saved.optimizer, saved.where);
  if (saved.place.empty() && !options.ranks) {
    store.restore(saved.checkpoint.model, saved.checkpoint.optimizer,
                  saved.where);
    digest = store.digest();
    return;
  }
  auto namesOf = [](const TensorHeaders &headers) {
    std::vector<std::string> names;
    for (const auto &[name, header] : headers)
      names.push_back(name);
    return names;
  };
  auto read = [&](const TensorFile *file, const TensorMap &inMemory) {
    return [=, &inMemory](const std::string &name, uint64_t offset,
                          std::span<std::byte> bytes) {
      if (file)
        file->read(name, offset, bytes);
      else
        std::memcpy(bytes.data(), inMemory.at(name).data() + offset,
                    bytes.size());
    };
  };
  const CheckpointFiles *files = saved.files.get();
  const bool readsFiles = !saved.place.empty();
  tensors.replace(namesOf(saved.model),
                  read(files ? &files->model : nullptr, saved.checkpoint.model),
                  readsFiles);
  tensors.replace(
      namesOf(saved.optimizer),
      read(files ? &files->optimizer : nullptr, saved.checkpoint.optimizer),
      readsFiles);
  digest = digestParameters();
  saved.files.reset();
  if (readsFiles)
    requireParameters(saved);
}

/// The digests of files are verified before, maybe by other ranks and on other
/// machines than those that read the tensors.
void Trainer::requireParameters(const Saved &saved) const {
  const auto wanted = saved.checkpoint.state.value("parameters", std::string());
  if (digest != wanted)
    failBadInput(saved.where + ": its parameters have the digest " + digest +
                     " as they were read, and " + wanted +
                     " according to its state.json",
                 "a file system or a memory has mixed up bytes; without this "
                 "checkpoint --resume goes on from the one before");
}

void Trainer::restore(Saved &saved) {
  const Checkpoint &checkpoint = saved.checkpoint;
  const bool isOfFolder = !saved.place.empty();
  if (isOfFolder) {
    requireSameRun(checkpoint.state, facts, saved.where,
                   options.recipeFile.string(), data.name);
    if (saved.progress.stepsPerEpoch && data.steps &&
        saved.progress.stepsPerEpoch != data.steps)
      failBadInput(saved.where + ": an epoch has other steps than now");
  }
  restoreTensors(saved);
  monitors.restore(checkpoint.state.value("monitors", nlohmann::json()));
  witnessed = checkpoint.state.value("commitments", nlohmann::json());
  progress = saved.progress;
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
    witnessed = checkpoint.state.value("commitments", nlohmann::json());
    tellBegin();
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
  tellBegin();
}

} // namespace gensyn::runtime
