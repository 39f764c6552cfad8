// See GenerationRun.h.

#include "gensyn/Runtime/Generation/GenerationRun.h"

#include "gensyn/Runtime/Formats/OpenTensors.h"
#include "gensyn/Runtime/Training/Evaluation.h"

#include <algorithm>

namespace gensyn::runtime {

Tensor toTensor(const std::vector<int64_t> &tokens) {
  Tensor tensor(ElementType::I64, {int64_t(tokens.size())});
  std::copy(tokens.begin(), tokens.end(), tensor.as<int64_t>());
  return tensor;
}

static ProgramRequest requestProgram(const GenerationOptions &options) {
  ProgramRequest wanted = {ProgramKind::Infer, /*batchSize=*/1};
  wanted.given.sequenceLength = options.sequenceLength;
  // By default the model sees the whole text.
  wanted.given.defaultLength =
      options.defaultLength ? options.defaultLength
                            : int64_t(options.prompt.size()) + options.count;
  return wanted;
}

GenerationRun::GenerationRun(Model &model, const GenerationOptions &options)
    : options(options), session(model.program(requestProgram(options)), store),
      text(options.prompt) {
  if (!options.parameters.empty())
    store.replace(openTensors(parametersIn(options.parameters)));
  generator.emplace(session, model.file());
}

void GenerationRun::run(const std::function<void(int64_t)> &observer,
                        const std::atomic<bool> &stop) {
  generator->run(text, options.count, options.sampling, observer, stop);
}

void GenerationRun::tell(InferenceWitness &witness, unsigned threads) const {
  WitnessedInference inference =
      beginWitness("generate", session, store, threads);
  inference.options = {{"tokens", options.count},
                       {"window", generator->length()},
                       {"temperature", options.sampling.temperature},
                       {"top_k", options.sampling.topK},
                       {"seed", options.sampling.seed}};
  inference.inputs = {{"prompt", toTensor(options.prompt)}};
  inference.outputs = {{"tokens", toTensor(text)}};
  inference.areValuesWritten = true;
  witness.inferred(inference);
}

} // namespace gensyn::runtime
