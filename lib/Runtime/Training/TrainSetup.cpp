// Prepares a training run for its first step: compiles programs, checks the
// data against them, and reports both.

#include "DataSetBatches.h"
#include "Trainer.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Data/DataSet.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Training/Evaluation.h"

#include <algorithm>
#include <limits>

namespace gensyn::runtime {

Trainer::Trainer(const TrainOptions &options, const ProgramSource &source,
                 TrainObserver &observer, const std::atomic<bool> &stop)
    : options(options), recipe(options.recipe), source(source),
      observer(observer), stop(stop),
      folder(options.folder.empty() || !isFirst()
                 ? nullptr
                 : std::make_unique<RunFolder>(options.folder, options.start)),
      tensors(store, options.ranks, options.divided),
      trainPrograms(ProgramKind::Train, source, store, /*ofAverages=*/false),
      evalPrograms(ProgramKind::Eval, source, store,
                   options.recipe.evaluatesAverages),
      monitors(options.recipe) {}

void Trainer::requireOptimizer() const {
  if (!recipe.optimizer)
    failBadInput(options.recipeFile.string() + ": no 'optimizer'");
}

void Trainer::limitClasses(const FitData &data) const {
  if (data.set && options.classes)
    data.set->limitClasses(recipe.loss.target, options.classes,
                           recipe.loss.ignoreIndex);
}

BatchRules Trainer::rulesOf(const std::string &where) const {
  return {where,           recipe.stepSamples(),    recipe.loss.target,
          options.classes, recipe.loss.ignoreIndex, options.ranks};
}

std::unique_ptr<BatchSource> Trainer::makeBatches(const FitData &from) {
  if (from.set) {
    auto made = std::make_unique<DataSetBatches>(
        *from.set, recipe, trainPrograms, options.model.string());
    microbatch = made->microbatch();
    return made;
  }
  if (recipe.accumulate > 1 && !recipe.batchSize)
    failBadInput(options.recipeFile.string() +
                 ": 'accumulate' needs 'batch_size', the samples of a "
                 "microbatch");
  microbatch = 0;
  return std::make_unique<StreamBatches>(*from.stream, rulesOf(""),
                                         trainPrograms);
}

void Trainer::limitSteps(int64_t epochs, int64_t maxSteps) {
  lastEpoch = epochs;
  lastStep = std::numeric_limits<int64_t>::max();
  const bool isBetween = progress.epoch == 0 || progress.epochComplete;
  const int64_t whole = std::max<int64_t>(epochs - progress.epoch, 0);
  const int64_t part = isBetween ? 0 : data.steps - progress.stepInEpoch;
  int64_t left = 0, steps = 0;
  if (data.steps && !__builtin_mul_overflow(whole, data.steps, &left) &&
      !__builtin_add_overflow(left, part, &left) &&
      !__builtin_add_overflow(progress.step, left, &steps))
    lastStep = steps;
  if (maxSteps)
    lastStep = std::min(lastStep, maxSteps);
}

/// The data of an epoch in progress stay the same; others may follow it.
void Trainer::requireSameData() {
  const bool isInside = progress.epoch > 0 && !progress.epochComplete;
  if (isInside && facts.dataIdentity != data.identity)
    failBadInput(data.name + ": are other data than those of epoch " +
                     std::to_string(progress.epoch) + ", which has begun",
                 "an epoch goes on only as it began");
  facts = makeFacts();
  const int64_t steps = data.identity.empty() ? 0 : data.steps;
  if (progress.step == 0)
    progress.stepsPerEpoch = steps;
  else if (progress.stepsPerEpoch != steps)
    progress.stepsPerEpoch = 0; // epochs differ from now on
}

void Trainer::start(Saved *saved) {
  if (begun)
    return;
  setInitialValues();
  curve.title =
      options.model.filename().string() + ", " + describe(*recipe.optimizer);
  digest = initialDigest = store.digest();
  facts = makeFacts();
  rememberInfinities();
  // Before anything of an earlier run is removed.
  requireAgreement();
  if (saved)
    restore(*saved);
  else if (folder)
    folder->start();
  savedAt = std::chrono::steady_clock::now();
  begun = true;
  tellBegin();
}

/// Metrics of evaluations require evaluation data.
void Trainer::requireFigures() const {
  for (const auto &[metric, key] : monitors.metrics())
    if (metric.starts_with("eval_") && !evalData)
      failBadInput(options.recipeFile.string() + ": " + quote(key) +
                       " watches " + quote(metric) +
                       ", and there is no --eval-data",
                   "the training loss is watched with \"metric\": \"loss\"");
}

/// A state from memory is set as a whole when the run begins; until then its
/// parameters are evaluated.
void Trainer::setInitialValues() {
  if (given) {
    for (const auto &[name, tensor] : given->checkpoint.model)
      if (store.has(name) &&
          store.at(name).elementType() == tensor.elementType() &&
          store.at(name).shape() == tensor.shape())
        store.value(name) = Value(tensor);
    return;
  }
  if (options.initializes)
    initialize();
  if (!options.parameters.empty())
    store.replace(openTensors(parametersIn(options.parameters)));
}

/// Warns about scalars: exporters write a model's scalar constants as
/// initializers too, and every initializer that the recipe does not freeze is
/// trained.
void Trainer::warnOfScalars() {
  std::vector<std::string> names;
  for (const Port &port : batches->program().signature().inputs)
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

RunFacts Trainer::makeFacts() const {
  RunFacts facts;
  // Batches of a stream have any shape, so that no program is that of the run.
  if (batches && !data.identity.empty()) {
    facts.programDigest = batches->program().executable().program_digest();
    facts.programRoot = batches->program().executable().program_root();
  }
  facts.lastBatchDigest = data.lastBatchDigest;
  facts.lastBatchRoot = data.lastBatchRoot;
  facts.numericsVersion = numericsVersion;
  facts.constants = digestTensors(store.constants());
  facts.dataIdentity = data.identity;
  facts.samples = data.samples;
  facts.batchSize = data.identity.empty() ? 0 : data.batchSize;
  facts.shuffle = recipe.shuffle;
  facts.dropLast = recipe.dropLast;
  facts.seed = recipe.seed;
  facts.recipe = recipe.source;
  return facts;
}

TrainSummary Trainer::summary() const {
  TrainSummary summary;
  const Session &program = batches->program();
  summary.programDigest = program.executable().program_digest();
  summary.numericsVersion = numericsVersion;
  summary.initialDigest = initialDigest;
  summary.parameters = store.parameterCount();
  for (const Port &port : program.signature().inputs)
    summary.parameterTensors += port.role == Role::Parameter;
  summary.samples = data.samples;
  summary.evalSamples = evaluator ? evaluator->facts().samples : 0;
  summary.tokensPerSample = data.tokensPerSample;
  summary.batchSize = data.batchSize;
  summary.stepsPerEpoch = data.steps;
  summary.epochs = lastEpoch;
  summary.steps = lastStep == std::numeric_limits<int64_t>::max() && !data.steps
                      ? 0
                      : lastStep;
  summary.resumedStep = resumedStep;
  summary.resumedFrom = savedIn;
  summary.resumedDigest = resumedStep ? digest : "";
  return summary;
}

void Trainer::writeProgram() {
  if (!folder)
    return;
  TrainSummary facts = summary();
  OrderedJson json = {{"program_digest", facts.programDigest},
                      {"numerics_version", facts.numericsVersion},
                      {"initial_parameters", facts.initialDigest},
                      {"model", options.model.string()},
                      {"recipe", options.recipeFile.string()},
                      {"loss", describe(recipe.loss)},
                      {"optimizer", describe(*recipe.optimizer)},
                      {"batch_size", data.batchSize},
                      {"parameters", facts.parameters},
                      {"parameter_tensors", facts.parameterTensors},
                      {"backend", options.backend},
                      {"target", options.target}};
  if (!options.programOptions.empty())
    json["options"] = options.programOptions;
  if (!recipe.schedule.empty())
    json["schedule"] = recipe.schedule;
  if (!data.lastBatchDigest.empty())
    json["last_batch_program_digest"] = data.lastBatchDigest;
  folder->writeJson("program.json", json);
}

} // namespace gensyn::runtime
