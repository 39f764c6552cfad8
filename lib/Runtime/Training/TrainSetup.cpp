// Prepares a training run for its first step: compiles programs, checks the
// data against them, and reports both.

#include "Trainer.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Nouns.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Training/Evaluation.h"

#include <algorithm>
#include <limits>

namespace gensyn::runtime {

void Trainer::makePrograms() {
  if (!recipe.optimizer)
    failBadInput(options.recipeFile.string() + ": no 'optimizer'");
  if (!options.evalData.empty())
    evalData.emplace(options.evalData);
  if (recipe.shuffle)
    data.expectRandomOrder();
  for (DataSet *set : {&data, evalData ? &*evalData : nullptr})
    if (set && options.classes)
      set->limitClasses(recipe.loss.target, options.classes,
                        recipe.loss.ignoreIndex);
  int64_t wanted = std::min(recipe.stepSamples(), data.samples());
  if (wanted > recipe.batchSize) // only full microbatches
    wanted -= wanted % recipe.batchSize;
  full = std::make_unique<Session>(
      source({ProgramKind::Train, wanted, data.given()}), store);
  data.check(full->signature());
  batch = full->batchSize();
  std::string samples = countOf(data.samples(), "sample");
  if (batch <= 0)
    failBadInput(options.model.string() + ": no batch dimension to train over");
  if (wanted && batch != wanted)
    failBadInput(
        options.model.string() + ": the batch is fixed at " +
            std::to_string(batch) + "; " +
            (wanted == recipe.stepSamples()
                 ? "the recipe's batch_size is " + std::to_string(wanted)
                 : options.data.string() + " has " + samples),
        "export the model with a dynamic first dimension");
  if (batch > data.samples() ||
      (recipe.dropLast && recipe.stepSamples() > data.samples()))
    failBadInput(options.data.string() + ": " + samples +
                 " do not fill a batch of " +
                 std::to_string(std::max(batch, recipe.stepSamples())));
  // The remaining samples make a step of full microbatches, and one of a
  // smaller microbatch.
  const int64_t left = recipe.dropLast ? 0 : data.samples() % batch;
  const int64_t part = recipe.batchSize
                           ? std::min(recipe.batchSize, batch)
                           : std::max<int64_t>(batch / recipe.accumulate, 1);
  for (int64_t samples : {left - left % part, left % part})
    if (samples)
      makeRest(batch, samples);
  if (evalData)
    evaluator.emplace(*evalData, recipe, part, source, store, observer);
  requireFigures();
  progress.stepsPerEpoch =
      data.samples() / batch + static_cast<int64_t>(rests.size());
  if (__builtin_mul_overflow(progress.stepsPerEpoch, recipe.epochs, &lastStep))
    lastStep = std::numeric_limits<int64_t>::max();
  if (options.maxSteps)
    lastStep = std::min(lastStep, options.maxSteps);
}

/// Metrics of evaluations require evaluation data.
void Trainer::requireFigures() const {
  for (const auto &[metric, key] : monitors.metrics())
    if (metric.starts_with("eval_") && !evaluator)
      failBadInput(options.recipeFile.string() + ": " + quote(key) +
                       " watches " + quote(metric) +
                       ", and there is no --eval-data",
                   "the training loss is watched with \"metric\": \"loss\"");
}

void Trainer::setInitialValues() {
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
  rests.push_back(std::make_unique<Session>(
      source({ProgramKind::Train, left, data.given()}), store));
  if (rests.back()->batchSize() != left)
    failBadInput(options.data.string() + ": " + std::to_string(data.samples()) +
                     " samples leave a batch of " + std::to_string(left) +
                     ", and the model's batch is fixed at " +
                     std::to_string(wanted),
                 "set \"drop_last\": true in the recipe, or export the model "
                 "with a dynamic first dimension");
}

/// Returns the digest of the program for the smaller last batch; empty if there
/// is none.
std::string Trainer::lastBatchDigest() const {
  std::string digests;
  for (const std::unique_ptr<Session> &rest : rests)
    digests +=
        (digests.empty() ? "" : " ") + rest->executable().program_digest();
  return digests;
}

RunFacts Trainer::makeFacts() const {
  RunFacts facts;
  facts.programDigest = full->executable().program_digest();
  facts.lastBatchDigest = lastBatchDigest();
  facts.numericsVersion = full->executable().numerics_version();
  facts.constants = digestTensors(store.constants());
  facts.dataIdentity = data.identity();
  facts.samples = data.samples();
  facts.batchSize = batch;
  facts.shuffle = recipe.shuffle;
  facts.dropLast = recipe.dropLast;
  facts.seed = recipe.seed;
  facts.recipe = recipe.source;
  return facts;
}

TrainSummary Trainer::summary() const {
  TrainSummary summary;
  summary.programDigest = full->executable().program_digest();
  summary.numericsVersion = full->executable().numerics_version();
  summary.initialDigest = initialDigest;
  summary.parameters = store.parameterCount();
  for (const Port &port : full->signature().inputs)
    summary.parameterTensors += port.role == Role::Parameter;
  summary.samples = data.samples();
  summary.evalSamples = evaluator ? evaluator->samples() : 0;
  summary.tokensPerSample = data.tokensPerSample();
  summary.batchSize = batch;
  summary.stepsPerEpoch = progress.stepsPerEpoch;
  summary.epochs = recipe.epochs;
  summary.steps = lastStep;
  summary.resumedStep = resumedStep;
  summary.resumedFrom = savedIn;
  summary.resumedDigest = resumedStep ? digest : "";
  return summary;
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
                      {"parameter_tensors", facts.parameterTensors},
                      {"backend", options.backend},
                      {"target", options.target}};
  if (!recipe.schedule.empty())
    json["schedule"] = recipe.schedule;
  if (!rests.empty())
    json["last_batch_program_digest"] = lastBatchDigest();
  folder.writeJson("program.json", json);
}

} // namespace gensyn::runtime
