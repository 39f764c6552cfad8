// See InferenceRun.h.

#include "gensyn/Runtime/Models/InferenceRun.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Data/GivenTensors.h"
#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Training/Evaluation.h"

namespace gensyn::runtime {

InferenceRun::InferenceRun(Model &model, const TensorFile &given,
                           const InferenceRunOptions &options)
    : file(model.file()), isGrad(options.kind == ProgramKind::Grad) {
  auto program = model.program(
      {options.kind, /*batchSize=*/0, listTensors(given, /*isSamples=*/false)});
  checkTensors(given, program->signature(), /*anyBatch=*/false);
  inputs.seed = options.seed;
  if (isGrad) {
    const Recipe &recipe = model.recipe();
    if (recipe.usesTrainingInfo)
      failBadInput(model.recipeName() + ": no 'loss'");
    inputs.seed = recipe.seed;
    if (int64_t classes = model.classes())
      checkClasses(given, recipe.loss.target, classes, recipe.loss.ignoreIndex);
  }
  session.emplace(std::move(program), store);
  if (!options.parameters.empty())
    store.replace(openTensors(parametersIn(options.parameters)));
  for (const Port &port : session->signature().inputs)
    if (port.role == Role::Input || port.role == Role::Target)
      inputs.tensors.emplace(port.name, given.tensor(port.name));
}

TensorMap InferenceRun::results() const {
  TensorMap results;
  const std::vector<Port> &ports = session->signature().outputs;
  for (size_t j = 0; j < ports.size(); ++j)
    if (!results.emplace(ports[j].name, session->output(j)).second && isGrad)
      failBadInput(file + ": the gradient of " + quote(ports[j].name) +
                       " has the name of the loss",
                   "rename it in the model");
  return results;
}

void InferenceRun::tell(InferenceWitness &witness, unsigned threads) const {
  WitnessedInference inference =
      beginWitness(isGrad ? "grad" : "infer", *session, store, threads);
  inference.options = {{"seed", inputs.seed}};
  inference.inputs = inputs.tensors;
  inference.outputs = results();
  witness.inferred(inference);
}

} // namespace gensyn::runtime
