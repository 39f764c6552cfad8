// Tells a witness what the run does.

#include "../Support/StateDigests.h"
#include "Trainer.h"

namespace gensyn::runtime {

WitnessedState Trainer::witnessState() {
  WitnessedState state;
  std::vector<const Tensor *> whole;
  std::vector<WitnessedTensor *> hashed;
  for (const ParameterStore::Names &names :
       {store.modelNames(), store.optimizerNames()})
    for (const auto &[name, stored] : names) {
      WitnessedTensor &tensor = state[stored];
      const Value &value = store.value(stored);
      tensor.type = value.elementType();
      tensor.shape = value.shape();
      if (tensors.isDivided(stored)) {
        tensor.elements = *parseDigest(tensors.digest({{"", stored}}));
      } else if (isFirst()) {
        whole.push_back(&store.at(stored));
        hashed.push_back(&tensor);
      }
    }
  const std::vector<Digest> digests = digestTogether(whole, options.threads);
  for (size_t i = 0; i < digests.size(); ++i)
    hashed[i]->elements = digests[i];
  return state;
}

/// What determines the bits of all steps. Of the recipe the programs have all
/// but the schedule.
static OrderedJson describeRun(const RunFacts &facts) {
  OrderedJson run = describeFacts(facts);
  run.erase("recipe");
  run["program_root"] = facts.programRoot;
  run["last_batch_program_root"] = facts.lastBatchRoot;
  if (facts.recipe.is_object() && facts.recipe.contains("schedule"))
    run["schedule"] = facts.recipe.at("schedule");
  return run;
}

void Trainer::tellBegin() {
  if (!options.witness || (!isFirst() && !tensors.hasDivided()))
    return;
  WitnessedStart start;
  start.state = witnessState();
  toldStep = progress.step;
  if (!isFirst())
    return;
  start.facts = describeRun(facts);
  for (const auto &[name, tensor] : store.constants())
    start.constants[name] = witnessTensor(tensor);
  start.visitSamples = batches->sampleVisitor();
  start.sampleBytes = batches->sampleBytes();
  if (progress.step == 0)
    options.witness->begin(start);
  else
    options.witness->resume(progress.step, start, witnessed);
}

void Trainer::tellStep(const Batch &batch) {
  if (options.witness && isFirst())
    options.witness->step(
        {progress.step, programDigest, batch.indices, batch.session->loss()});
}

void Trainer::tellState() {
  if (!options.witness || toldStep == progress.step ||
      (!isFirst() && !tensors.hasDivided()))
    return;
  const WitnessedState state = witnessState();
  toldStep = progress.step;
  if (isFirst())
    options.witness->state(state, !isWitnessed());
}

/// True if the state after the last step is told wherever the run is stopped,
/// and on machines of any speed.
bool Trainer::isWitnessed() const {
  if (!options.witness->wantsCheckpoints())
    return options.witness->wantsState(progress.step);
  return options.checkpointEvery.unit == CheckpointInterval::Unit::Seconds
             ? progress.epochComplete
             : isCheckpointDue(progress.step);
}

} // namespace gensyn::runtime
