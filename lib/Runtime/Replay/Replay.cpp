// Repeats runs until they part; see Replay.h.

#include "gensyn/Runtime/Replay/Replay.h"

#include "ReplayedRun.h"
#include "RunRecord.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Session.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Models/RandomInputs.h"
#include "gensyn/Runtime/Training/Evaluation.h"

#include <algorithm>
#include <memory>

namespace gensyn::runtime {

namespace {
class Replayer {
public:
  explicit Replayer(const ReplayOptions &options) : options(options) {}
  ReplayResult run();

private:
  void judge(const RecordDifference &difference);
  void checkRecord(ReplayedRun &run, const RunRecord &record,
                   std::optional<Unreproduced> &verdict) const;
  void lockStep();
  int64_t lastStep() const;
  /// Runs a step of both sides; false if they part there.
  bool runBoth(ReplayedRun &first, ReplayedRun &second);
  void compareModels();
  bool haveOneTarget() const;
  void show(const std::string &what, int64_t done, int64_t all) const {
    if (options.progress)
      options.progress(what, done, all);
  }

  const ReplayOptions &options;
  /// Of run folders; null for a side without one.
  std::unique_ptr<RunRecord> first, second;
  ReplayResult result;
};
} // namespace

/// True if both sides are to run on the same device with the same options.
bool Replayer::haveOneTarget() const {
  const ModelOptions &a = options.first.model, &b = options.second.model;
  return a.backend == b.backend && a.instructionSet == b.instructionSet &&
         a.sm == b.sm && a.device == b.device && a.model == b.model &&
         a.accuracy == b.accuracy && a.integerSums == b.integerSums;
}

/// Compares what the run did last with the record of one folder.
void Replayer::checkRecord(ReplayedRun &run, const RunRecord &record,
                           std::optional<Unreproduced> &verdict) const {
  if (verdict)
    return;
  const int64_t step = run.step();
  if (auto loss = record.losses.find(step);
      loss != record.losses.end() && loss->second != run.loss()) {
    verdict = {step, "its log has the loss " + loss->second + ", here it is " +
                         run.loss()};
    return;
  }
  const auto digest = record.digests.find(step);
  const auto place = record.checkpoints.find(step);
  const bool isLast = step == record.lastStep() && !record.finalDigest.empty();
  if (digest == record.digests.end() && place == record.checkpoints.end() &&
      !isLast)
    return;
  const Checkpoint state = run.state();
  if (place != record.checkpoints.end()) {
    try {
      if (const std::string name =
              compareStates(readCheckpoint(place->second), state);
          !name.empty())
        verdict = {step, "its checkpoint has another " + name};
    } catch (const Failure &failure) {
      if (failure.code != ExitCode::BadInput)
        throw;
      verdict = {step, failure.what()};
    }
    if (verdict)
      return;
  }
  const std::string here = digestTensors(state.model);
  if (digest != record.digests.end() && digest->second != here)
    verdict = {step, "its log has another digest of the parameters"};
  else if (isLast && record.finalDigest != here)
    verdict = {step, "its parameters.safetensors has other values"};
}

/// Both records are of one run, so that at most one of them is right.
void Replayer::judge(const RecordDifference &difference) {
  result.kind = ReplayResult::Kind::Judged;
  result.step = difference.step;
  result.record = difference.reason;
  auto lossOf = [&](const RunRecord &record) {
    auto found = record.losses.find(difference.step);
    return found == record.losses.end() ? std::string() : found->second;
  };
  result.firstLoss = lossOf(*first);
  result.secondLoss = lossOf(*second);
  result.begin = findCommonCheckpoint(*first, *second, difference.step);
  ReplayedRun run(options.first, first.get());
  result.firstTarget = result.secondTarget = run.target();
  run.start(result.begin);
  const int64_t last = options.steps ? std::min(options.steps, difference.step)
                                     : difference.step;
  while (run.step() < last && !(result.first && result.second)) {
    show("repeating", run.step(), last);
    if (run.peek().samples == 0)
      break;
    run.advance();
    ++result.repeated;
    checkRecord(run, *first, result.first);
    checkRecord(run, *second, result.second);
  }
}

int64_t Replayer::lastStep() const {
  int64_t last = options.steps;
  for (const RunRecord *record : {first.get(), second.get()})
    if (record && (last == 0 || record->lastStep() < last))
      last = record->lastStep();
  return last ? last : INT64_MAX;
}

/// The optimizers of the sides may have other state.
static bool sameState(const Checkpoint &a, const Checkpoint &b) {
  for (const auto &[x, y] :
       {std::pair(&a.model, &b.model), std::pair(&a.optimizer, &b.optimizer)})
    for (const auto &[name, tensor] : *x)
      if (auto other = y->find(name);
          other != y->end() && !tensor.bitEqual(other->second))
        return false;
  return true;
}

bool Replayer::runBoth(ReplayedRun &a, ReplayedRun &b) {
  Trainer::NextStep one = a.peek(), other = b.peek();
  if (one.samples == 0 || other.samples == 0)
    return false;
  a.advance();
  b.advance();
  ++result.repeated;
  if (first)
    checkRecord(a, *first, result.first);
  if (second)
    checkRecord(b, *second, result.second);
  if (a.loss() == b.loss() && sameState(a.state(), b.state()))
    return true;
  result.step = a.step();
  result.firstLoss = a.loss();
  result.secondLoss = b.loss();
  if (one.indices != other.indices) {
    result.firstSamples = one.indices;
    result.secondSamples = other.indices;
  }
  ValueOptions values = options.values;
  values.progress = [&](int64_t done, int64_t all) {
    show("comparing ops", done, all);
  };
  result.difference = findStepDifference(
      a.programRun(std::move(one)), b.programRun(std::move(other)), values);
  return false;
}

void Replayer::lockStep() {
  result.kind = ReplayResult::Kind::LockStep;
  if (first && second) {
    const auto difference = findRecordDifference(*first, *second);
    result.begin = findCommonCheckpoint(
        *first, *second, difference ? difference->step : INT64_MAX);
    // Runs that record no difference are repeated as a whole.
    if (!difference)
      result.begin = 0;
  }
  ReplayedRun a(options.first, first.get()), b(options.second, second.get());
  result.firstTarget = a.target();
  result.secondTarget = b.target();
  a.start(result.begin);
  b.start(result.begin);
  const int64_t last = lastStep();
  while (a.step() < last) {
    show("repeating", a.step(), last == INT64_MAX ? 0 : last);
    if (!runBoth(a, b))
      break;
  }
}

/// The inputs of a model, with its parameters.
static ProgramRun makeProgramRun(const ReplaySide &side, Model &model) {
  ProgramRun run;
  run.model = &model;
  run.request = {ProgramKind::Infer, 0, {}};
  std::optional<TensorFile> file;
  if (!side.inputs.empty()) {
    file = openTensors(side.inputs);
    run.request.given = listTensors(*file, /*isSamples=*/false);
  }
  ParameterStore store;
  Session session(model.program(run.request), store);
  if (!side.parameters.empty())
    store.replace(openTensors(parametersIn(side.parameters)));
  StepInputs inputs;
  if (file) {
    checkTensors(*file, session.signature(), /*anyBatch=*/false);
    for (const Port &port : session.signature().inputs)
      if (port.role == Role::Input)
        inputs.tensors.emplace(port.name, file->tensor(port.name));
  } else {
    inputs.tensors = makeRandomInputs(session.signature(), "", 0);
  }
  run.digest = session.executable().program_digest();
  run.ports = session.signature().inputs;
  run.inputs = session.listInputs(inputs);
  return run;
}

void Replayer::compareModels() {
  result.kind = ReplayResult::Kind::LockStep;
  Model a(options.first.model), b(options.second.model);
  result.firstTarget = a.target();
  result.secondTarget = b.target();
  ValueOptions values = options.values;
  values.progress = [&](int64_t done, int64_t all) {
    show("comparing ops", done, all);
  };
  result.repeated = 1;
  result.difference =
      findStepDifference(makeProgramRun(options.first, a),
                         makeProgramRun(options.second, b), values);
  if (result.difference->op || !result.difference->inputs.empty())
    result.step = 1;
}

ReplayResult Replayer::run() {
  if (!options.first.run.empty())
    first = std::make_unique<RunRecord>(readRunRecord(options.first.run));
  if (!options.second.run.empty())
    second = std::make_unique<RunRecord>(readRunRecord(options.second.run));
  if (!first && !second && options.first.model.recipe.empty()) {
    compareModels();
    return std::move(result);
  }
  if (first && second)
    result.settings = listDifferentSettings(*first, *second);
  if (!first || !second || !result.settings.empty() || !haveOneTarget()) {
    lockStep();
    return std::move(result);
  }
  if (auto difference = findRecordDifference(*first, *second))
    judge(*difference);
  return std::move(result);
}

ReplayResult replay(const ReplayOptions &options) {
  return Replayer(options).run();
}

} // namespace gensyn::runtime
