// Repeats a run step by step, and shows each step before it runs.

#include "Trainer.h"

#include "gensyn/Executable/plan.pb.h"

namespace gensyn::runtime {

void Trainer::prepareReplay(FitData trainData, FitData evalData) {
  (void)prepare(trainData, evalData);
}

void Trainer::requireRun(const nlohmann::json &state,
                         const std::string &where) const {
  requireSameRun(state, facts, where, options.recipeFile.string(), data.name);
}

Trainer::NextStep Trainer::peek() {
  NextStep step;
  const bool isNew = progress.epoch == 0 || progress.epochComplete;
  if ((progress.epoch >= recipe.epochs && isNew && progress.epoch > 0) ||
      !monitors.stops().empty())
    return step;
  seek();
  const std::optional<Batch> batch = batches->next();
  if (!batch)
    return step;
  step.samples = batch->samples;
  step.indices.assign(batch->indices.begin(), batch->indices.end());
  Session &session = *batch->session;
  step.batchSize = session.batchSize();
  step.programDigest = session.executable().program_digest();
  step.ports = session.signature().inputs;
  step.inputs = session.listInputs(inputsOf(*batch, progress.step));
  // As beginEpoch() sets it.
  if (isNew)
    for (size_t i = 0; i < step.ports.size(); ++i)
      if (step.ports[i].name == kEpochState)
        step.inputs[i] = Tensor::scalar(progress.epoch);
  return step;
}

void Trainer::advance() {
  limitSteps(recipe.epochs, progress.step + 1);
  while (!ended())
    runEpoch();
}

} // namespace gensyn::runtime
